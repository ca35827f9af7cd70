import KeychainMessages
import KeychainModel
import TestSupport
import Testing

@testable import KeychainCommand

@Suite struct `The command passcode remove` {
    private let endpoint: any Endpoint

    init() throws {
        endpoint = try TestKeychain.endpoint()
        #expect(run(["passcode", "set"], TestTerminal(input: Array("1234\n".utf8))).status == 0)
    }

    private func run(
        _ words: [String],
        _ terminal: TestTerminal
    ) -> (status: Int32, output: String, diagnostics: String) {
        let status = TestKeychain.run(["keychainctl"] + words, on: endpoint, terminal)
        return (status, terminal.outputText, terminal.diagnosticsText)
    }

    private func piped(_ words: String...) -> (status: Int32, output: String, diagnostics: String) {
        run(words, TestTerminal(input: Array("1234\n".utf8)))
    }

    private func add(_ service: String, _ options: String...) throws {
        let words = ["add-generic-password", "-s", service, "-a", "alice"] + options
        try #require(run(words, TestTerminal(input: Array("hunter2".utf8))).status == 0)
    }

    private func addGated() throws {
        try add("mail")
        try add("bank", "--accessible", "WhenPasscodeSetThisDeviceOnly")
        try add("vault", "--require", "userPresence")
        try add("safe", "--require", "devicePasscode")
    }

    @Test(.requirement("ACC-06"))
    func `names what is lost before it prompts`() throws {
        try addGated()
        let removed = run(["passcode", "remove"], TestTerminal(typing: ["1234"]))
        #expect(removed.status == 0, "\(removed.diagnostics)")
        let lines = removed.diagnostics.split(separator: "\n").map(String.init)
        let deletes = "removing the passcode deletes 1 item of WhenPasscodeSetThisDeviceOnly:"
        let closes = "removing the passcode closes 2 items whose access control needs it, for good:"
        #expect(lines.contains("keychainctl: warning: \(deletes)"), "\(lines)")
        #expect(lines.contains("keychainctl: warning: \(closes)"), "\(lines)")
        let prompt = try #require(lines.firstIndex { $0.hasPrefix("Current passcode") })
        let told = lines[..<prompt].joined(separator: "\n")
        let unnamed = ["bank", "vault", "safe"].filter { !told.contains("service \($0)") }
        #expect(unnamed == [])
        #expect(!removed.diagnostics.contains("service mail"))
        #expect(piped("find-generic-password", "-s", "mail", "-w").output == "hunter2\n")
        #expect(piped("find-generic-password", "-s", "bank").status == 44)
    }

    @Test(.requirement("ACC-06"))
    func `changes nothing from a pipe without --force if items are lost`() throws {
        try addGated()
        let refused = piped("passcode", "remove")
        #expect(refused.status == 2)
        #expect(refused.diagnostics.contains("nothing was changed"))
        #expect(refused.diagnostics.contains("--force"))
        #expect(piped("find-generic-password", "-s", "bank").status == 0)
        #expect(piped("passcode", "remove", "--force").status == 0)
        #expect(piped("find-generic-password", "-s", "bank").status == 44)
    }

    @Test func `needs no --force if nothing is lost`() throws {
        try add("mail")
        let removed = piped("passcode", "remove")
        #expect(removed.status == 0)
        #expect(removed.diagnostics == "")
    }

    @Test func `changes nothing while a lock hides what is lost`() throws {
        try addGated()
        #expect(piped("lock-keychain").status == 0)
        let refused = run(["passcode", "remove"], TestTerminal(typing: ["1234"]))
        #expect(refused.status == 2)
        #expect(refused.diagnostics.contains("run keychainctl unlock-keychain first"))
        #expect(piped("unlock-keychain").status == 0)
        #expect(piped("find-generic-password", "-s", "bank").status == 0)
    }

    @Test(arguments: ["change", "remove"])
    func `and change name the way out without a passcode, before they prompt`(verb: String) {
        #expect(piped("passcode", "remove").status == 0)
        let refused = run(["passcode", verb], TestTerminal(typing: []))
        #expect(refused.status == 51)
        let line =
            "keychainctl: errSecAuthFailed (-25293): the keychain has no passcode; run keychainctl"
            + " passcode set\n"
        #expect(refused.diagnostics == line)
    }

    @Test func `leaves items that check notes, and that are no fault`() throws {
        try addGated()
        let before = piped("check")
        #expect(!before.output.contains("note:"))
        #expect(piped("passcode", "remove", "--force").status == 0)
        let after = piped("check")
        #expect(after.status == 0)
        let notes = after.output.split(separator: "\n").filter { $0.hasPrefix("note: genp row") }
        #expect(notes.count == 2, "\(after.output)")
        #expect(notes.allSatisfy { $0.contains("its passcode or enrolment is gone") })
        #expect(notes.contains { $0.contains("service vault") })
        #expect(after.output.contains("ended       2, which nothing opens any more"))
        let json = piped("check", "--json").output
        #expect(json.contains("\"kind\": \"ended\"") && json.contains("\"ended\": 2"))
    }
}
