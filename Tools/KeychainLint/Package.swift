// swift-tools-version: 6.0
import PackageDescription

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The directory with the toolchain's own build of SwiftSyntax: nothing is downloaded.
///
/// `KEYCHAIN_LINT_TOOLCHAIN` names the `usr` directory of a toolchain. Without it, the first
/// `swift` of `PATH` decides.
let syntax: String =
    {
        if let named = getenv("KEYCHAIN_LINT_TOOLCHAIN") { return String(cString: named) }
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        for folder in path.split(separator: ":") {
            guard let resolved = realpath("\(folder)/swift", nil) else { continue }
            defer { free(resolved) }
            let parts = String(cString: resolved).split(separator: "/").dropLast(2)
            return "/" + parts.joined(separator: "/")
        }
        return "/usr"
    }() + "/lib/swift/host"

let compile: [SwiftSetting] = [.unsafeFlags(["-I", syntax])]
let link: [LinkerSetting] = [
    .unsafeFlags(["-L", syntax, "-Xlinker", "-rpath", "-Xlinker", syntax]),
    .linkedLibrary("SwiftSyntax"), .linkedLibrary("SwiftParser"), .linkedLibrary("SwiftOperators"),
]

let package = Package(
    name: "KeychainLint",
    products: [
        .executable(name: "keychain-lint", targets: ["keychain-lint"]),
        .plugin(name: "KeychainLintPlugin", targets: ["KeychainLintPlugin"]),
    ],
    targets: [
        .target(name: "LintRules"),
        .target(name: "LintModel", dependencies: ["LintRules"]),
        .target(name: "LintAnalysis", dependencies: ["LintModel"], swiftSettings: compile),
        .target(
            name: "LintChecks",
            dependencies: ["LintAnalysis", "LintModel", "LintRules"],
            swiftSettings: compile
        ),
        .target(name: "LintOutput", dependencies: ["LintModel", "LintRules"]),
        .target(
            name: "CodeCheck",
            dependencies: ["LintAnalysis", "LintModel", "LintOutput", "LintRules"],
            swiftSettings: compile
        ),
        .executableTarget(
            name: "keychain-lint",
            dependencies: [
                "CodeCheck", "LintChecks", "LintAnalysis", "LintModel", "LintOutput", "LintRules",
            ],
            swiftSettings: compile,
            linkerSettings: link
        ),
        .plugin(
            name: "KeychainLintPlugin",
            capability: .command(
                intent: .custom(
                    verb: "keychain-lint",
                    description: "Finds mistakes in code that uses the keychain"
                )
            ),
            dependencies: ["keychain-lint"]
        ),
        .testTarget(
            name: "LintTests",
            dependencies: ["LintChecks", "LintAnalysis", "LintModel", "LintOutput", "LintRules"],
            swiftSettings: compile,
            linkerSettings: link
        ),
    ]
)
