import Foundation
import PackagePlugin

/// The command `swift package keychain-lint`, which runs keychain-lint on the package.
@main
struct KeychainLintPlugin: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        let tool = try context.tool(named: "keychain-lint")
        let process = Process()
        process.executableURL = tool.url
        process.currentDirectoryURL = context.package.directoryURL
        process.arguments = arguments
        // Only the command knows the options that take a value, so it finds the path itself.
        let usual = ["KEYCHAIN_LINT_PATH": "."]
        process.environment = ProcessInfo.processInfo.environment.merging(usual) { $1 }
        try process.run()
        process.waitUntilExit()
        if process.terminationStatus != 0 {
            Diagnostics.error("keychain-lint found errors")
        }
    }
}
