// swift-tools-version: 6.2
import PackageDescription

// In your package, give the URL of swift-keychain, or the path of a checkout.
let package = Package(
    name: "TokenStore",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [.library(name: "TokenStore", targets: ["TokenStore"])],
    dependencies: [.package(name: "swift-keychain", path: "../../..")],
    targets: [
        .target(
            name: "TokenStore",
            dependencies: [
                .product(
                    name: "Security",
                    package: "swift-keychain",
                    condition: .when(platforms: [.linux])
                )
            ]
        ),
        .testTarget(
            name: "TokenStoreTests",
            dependencies: [
                "TokenStore",
                .product(
                    name: "KeychainSimulator",
                    package: "swift-keychain",
                    condition: .when(platforms: [.linux])
                ),
            ]
        ),
    ]
)
