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
        let hasPath = arguments.contains { !$0.hasPrefix("-") }
        process.arguments = hasPath ? arguments : arguments + ["."]
        try process.run()
        process.waitUntilExit()
        if process.terminationStatus != 0 {
            Diagnostics.error("keychain-lint found errors")
        }
    }
}
