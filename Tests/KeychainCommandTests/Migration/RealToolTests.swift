import Foundation
import TestSupport
import Testing

extension Programs {
    /// `Scripts/doors/tools.sh` gives each tool's file to migrate, follows the words that migrate
    /// printed, and has a local server check what the tool sends.
    @Suite struct `A tool whose file was migrated` {
        private static let script = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Scripts/doors/tools.sh").path

        /// Those that are installed are tried; the script alone installs the others.
        private static let tools = [
            "git", "curl", "npm", "psql", "cargo", "docker", "aws", "twine",
        ]

        /// Set-up installs these two.
        @Test(.requirement("USE-07", "TLS-01")) func `is tried with git and curl at least`() {
            #expect(["git", "curl"].allSatisfy(Workshop.isInstalled))
        }

        @Test(
            .enabled(if: Workshop.isInstalled("python3"), "python3 is not installed"),
            .requirement("USE-07", "TLS-01"),
            arguments: tools.filter(Workshop.isInstalled)
        )
        func `gets back what was taken, by the words that were printed`(tool: String) throws {
            let workshop = try Workshop()
            defer { workshop.scratch.remove() }
            // Toolchains of users lie in their homes.
            let home = "HOME=\(NSHomeDirectory())"
            let run = try workshop.run(home, Self.script, "--bin", workshop.products, tool)
            #expect(run.status == 0, "\(run.output)")
            #expect(run.output.hasPrefix(tool) && run.output.count { $0 == "\n" } == 1)
        }
    }
}
