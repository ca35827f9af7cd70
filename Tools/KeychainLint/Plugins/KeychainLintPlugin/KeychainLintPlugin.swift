import Foundation
import PackagePlugin

/// Runs keychain-lint over the package: `swift package keychain-lint`.
@main
struct KeychainLintPlugin: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        let tool = try context.tool(named: "keychain-lint")
        let process = Process()
        process.executableURL = tool.url
        process.currentDirectoryURL = context.package.directoryURL
        process.arguments = arguments
        // Only the command knows which of its options take a value, so it looks for the path.
        let usual = ["KEYCHAIN_LINT_PATH": "."]
        process.environment = ProcessInfo.processInfo.environment.merging(usual) { $1 }
        try process.run()
        process.waitUntilExit()
        if process.terminationStatus != 0 {
            Diagnostics.error("keychain-lint found errors")
        }
    }
}
