// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "TokenStore",
    dependencies: [
        .package(url: "https://git.example.com/swift-keychain.git", branch: "main")
    ],
    targets: [
        .testTarget(
            name: "TokenTests",
            dependencies: [
                .product(name: "Security", package: "swift-keychain"),
                .product(name: "KeychainSimulator", package: "swift-keychain"),
            ]
        )
    ]
)
