import Foundation
import MigrationCommand
import Testing

extension Programs {
    @Suite struct `Another secret service` {
        private static let script = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/secret-tool.sh")

        @Test func `is emptied through secret-tool`() throws {
            let scratch = try ScratchFolder()
            defer { scratch.remove() }
            let tool = scratch.path + "/secret-tool"
            try FileManager.default.copyItem(atPath: Self.script.path, toPath: tool)
            let store = scratch.path + "/secret-service-store"
            try scratch.write("hunter2", to: store)
            var surroundings = MigrateCommand.Surroundings.inMemory(home: scratch.path)
            surroundings.secretTool = tool
            let endpoint = try TestKeychain.endpoint()
            let terminal = TestTerminal()
            let status = TestKeychain.run(
                ["keychain", "migrate", "--from", "secret-service"],
                on: endpoint,
                terminal,
                duties: ["migrate": MigrateCommand(surroundings).run]
            )
            #expect(status == 0, "\(terminal.outputText)\(terminal.diagnosticsText)")
            #expect(terminal.outputText.contains("https://alice@git.example.org"))
            #expect(!terminal.outputText.contains("hunter2"))
            #expect(!FileManager.default.fileExists(atPath: store))
            let found = TestTerminal()
            let words = ["-s", "git.example.org", "-a", "alice", "-r", "htps", "-w"]
            let find = ["keychain", "find-internet-password"] + words
            #expect(TestKeychain.run(find, on: endpoint, found) == 0)
            #expect(found.outputText == "hunter2\n")
        }

        @Test func `says what to install where secret-tool is missing`() throws {
            var surroundings = MigrateCommand.Surroundings.inMemory(home: "/")
            surroundings.secretTool = "no-such-secret-tool"
            let terminal = TestTerminal()
            let status = TestKeychain.run(
                ["keychain", "migrate", "--from", "secret-service"],
                on: try TestKeychain.endpoint(),
                terminal,
                duties: ["migrate": MigrateCommand(surroundings).run]
            )
            #expect(status != 0)
            #expect(terminal.outputText.contains("secret-tool is not installed"))
        }
    }
}
