import TestSupport
import Testing

@testable import KeychainCommand

@Suite struct `An empty secret` {
    private static let generic = [
        "keychainctl", "add-generic-password", "-a", "alice", "-s", "mail",
    ]
    private static let internet = [
        "keychainctl", "add-internet-password", "-a", "alice", "-s", "mail",
    ]
    private static let update = generic + ["-U"]

    @Test(
        .requirement("USE-08"),
        arguments: [generic, internet, update],
        ["", "\n"]
    )
    func `of a pipe is refused, and nothing is stored`(words: [String], input: String) throws {
        let endpoint = try TestKeychain.endpoint()
        let terminal = TestTerminal(input: Array(input.utf8))
        #expect(TestKeychain.run(words, on: endpoint, terminal) == 206)
        #expect(terminal.diagnosticsText.contains("add --allow-empty"))
        let dump = TestTerminal()
        #expect(TestKeychain.run(["keychainctl", "dump-keychain"], on: endpoint, dump) == 0)
        #expect(dump.output.isEmpty)
    }

    @Test(.requirement("USE-08"))
    func `that a person types is refused`() throws {
        let terminal = TestTerminal(typing: ["", ""])
        #expect(TestKeychain.run(Self.generic, on: try TestKeychain.endpoint(), terminal) == 206)
        #expect(terminal.diagnosticsText.contains("the entry is empty"))
    }

    @Test(arguments: [["--allow-empty"], ["-w", ""], ["-X", ""]])
    func `is stored where it is asked for`(options: [String]) throws {
        let endpoint = try TestKeychain.endpoint()
        #expect(TestKeychain.run(Self.generic + options, on: endpoint) == 0)
        let found = TestTerminal()
        let words = ["keychainctl", "find-generic-password", "-s", "mail", "-w"]
        #expect(TestKeychain.run(words, on: endpoint, found) == 0)
        #expect(found.outputText == "\n")
    }

    @Test func `does not replace a password that is there`() throws {
        let endpoint = try TestKeychain.endpoint()
        let first = TestTerminal(input: Array("hunter2".utf8))
        #expect(TestKeychain.run(Self.generic, on: endpoint, first) == 0)
        #expect(TestKeychain.run(Self.update, on: endpoint) == 206)
        let found = TestTerminal()
        let words = ["keychainctl", "find-generic-password", "-s", "mail", "-w"]
        #expect(TestKeychain.run(words, on: endpoint, found) == 0)
        #expect(found.outputText == "hunter2\n")
    }
}
