import Foundation
import KeychainHost
import KeychainModel
import TestSupport
import Testing

@testable import KeychainCommand

/// The shell lines of Documentation/Command.md that begin with the given one, as they stand there.
private func lines(of first: String) throws -> String {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Documentation/Command.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let start = try #require(text.range(of: "```sh\n" + first))
    let end = try #require(text.range(of: "```", range: start.upperBound..<text.endIndex))
    return first + text[start.upperBound..<end.lowerBound]
}

extension Programs {
    @Suite struct `The command and a program` {
        /// The passwords that a program of another name sees.
        private func seen(
            by name: String,
            _ workshop: Workshop,
            _ variables: [String: String]
        ) throws -> [String] {
            let own = workshop.environment.merging(variables) { $1 }
            let environment = ProcessEnvironment(executable: "/opt/\(name)") { own[$0] }
            let endpoint = try EmbeddedKeychain.open(KeychainHome(environment), environment)
            let context = CommandContext(
                program: name,
                terminal: TestTerminal(),
                connect: { () throws(KeychainError) in endpoint }
            )
            let items = try context.items(of: .genericPassword, returning: [])
            return items.compactMap { $0.text(.service) }
        }

        @Test(.requirement("USE-04"))
        func `share items by the lines of the page about the command`() throws {
            let workshop = try Workshop()
            defer { workshop.scratch.remove() }
            let script = try lines(of: "cat > ~/shared.entitlements")
            let add = "keychainctl add-generic-password -a alice -s"
            let before = try workshop.run("sh", "-c", "echo x | \(add) before")
            try #require(before.status == 0, "\(before.output)")
            let shared = try workshop.run("sh", "-ec", script + "\necho x | \(add) api")
            try #require(shared.status == 0, "\(shared.output)")
            let entitlements = workshop.scratch.path + "/shared.entitlements"
            let variables = ["KEYCHAIN_ENTITLEMENTS": entitlements]
            #expect(try seen(by: "mailer", workshop, [:]).isEmpty)
            #expect(try seen(by: "mailer", workshop, variables).sorted() == ["api", "before"])
            // The command still has what it had.
            let words = "keychainctl find-generic-password -s before -w"
            #expect(try workshop.run("sh", "-ec", script + "\n" + words).output == "x\n")
        }

        @Test(.requirement("USE-04"))
        func `keep their items when the program's file gets another name`() throws {
            let workshop = try Workshop()
            defer { workshop.scratch.remove() }
            let program = workshop.scratch.path + "/mailer"
            let renamed = workshop.scratch.path + "/reader"
            let files = FileManager.default
            try files.copyItem(atPath: workshop.products + "/keychainctl", toPath: program)
            let words = "add-generic-password -a alice -s api"
            let add = try workshop.run("sh", "-c", "echo hunter2 | \(program) \(words)")
            try #require(add.status == 0, "\(add.output)")
            try files.moveItem(atPath: program, toPath: renamed)
            let find = try workshop.run(renamed, "find-generic-password", "-s", "api", "-w")
            #expect(find.output == "hunter2\n")
            let doctor = try workshop.run(renamed, "doctor").output
            #expect(doctor.contains("mailer; new items go to mailer"), "\(doctor)")
            #expect(doctor.contains("write \(renamed).entitlements"), "\(doctor)")
            let other = try workshop.run("keychainctl", "doctor").output
            #expect(other.contains("mailer (1 item): this program does not see"), "\(other)")
            #expect(other.contains("KEYCHAIN_ENTITLEMENTS"), "\(other)")
        }
    }
}
