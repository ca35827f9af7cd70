import KeychainHost
import KeychainMessages
import KeychainModel
import TestSupport
import Testing

@testable import KeychainCommand
@testable import KeychainEngine

@Suite struct `The command check` {
    private let endpoint: any Endpoint

    init() throws {
        endpoint = try TestKeychain.endpoint()
        for account in ["alice", "bob"] {
            let words = ["add-generic-password", "-s", "mail", "-a", account]
            #expect(run(words, "hunter2").status == 0)
        }
    }

    private func run(
        _ words: [String],
        _ input: String = ""
    ) -> (status: Int32, output: String, diagnostics: String) {
        let terminal = TestTerminal(input: Array(input.utf8))
        let status = TestKeychain.run(["keychainctl"] + words, on: endpoint, terminal)
        return (status, terminal.outputText, terminal.diagnosticsText)
    }

    private func spoil(_ sql: String) throws {
        let engine = try #require(endpoint as? EngineEndpoint).engine
        try engine.enter { state throws(KeychainError) in
            try state.vault.store.connection.execute(sql)
        }
    }

    @Test func `counts what opens`() {
        let result = run(["check"])
        #expect(result.status == 0)
        #expect(
            result.output == """
                sound       2 genp, 0 inet, 0 cert, 0 keys
                unreadable  0

                """
        )
        #expect(result.diagnostics == "")
    }

    @Test func `names what does not open, and keeps it`() throws {
        try spoil("UPDATE genp SET secret = zeroblob(99) WHERE row = 1")
        let result = run(["check"])
        #expect(result.status == Int32(UInt8(truncatingIfNeeded: -26275)))
        let name = "label mail, account alice, service mail, accessGroup TEAM.mail"
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(lines.first == "genp row 1 (\(name)): its value does not open")
        #expect(lines.last == "unreadable  1")
        #expect(result.diagnostics.contains("1 fault; nothing was changed or deleted"))
        #expect(run(["check"]).output == result.output)
    }

    @Test func `writes JSON with and without faults`() throws {
        let sound = run(["check", "--json"])
        #expect(sound.output.contains("\"faults\": []"))
        #expect(sound.output.contains("\"genp\": 2"))
        try spoil("UPDATE genp SET metadata = zeroblob(99)")
        let spoiled = run(["check", "--json"])
        #expect(spoiled.output.contains("\"part\": \"attributes\""))
        #expect(spoiled.output.contains("},\n") || spoiled.output.contains("}\n,\n"))
        #expect(spoiled.output.contains("\"unreadable\": 2"))
    }

    /// What was done to the rows, and the line that tells.
    private static let tamperings = [
        ("DELETE FROM genp WHERE row = 1", "removed: found 1 row, expected 2"),
        (
            "UPDATE genp SET row = 7 WHERE row = 1",
            "replaced: found 2 rows, as expected, but not the latest ones"
        ),
        ("DELETE FROM row_sum", "removed: found 2 rows, expected 0"),
        (
            "UPDATE row_sum SET sealed = ''",
            "the sum of the rows does not open: rows may have been restored or removed"
        ),
    ]

    @Test(arguments: tamperings)
    func `tells of rows put back or taken away until they are accepted`(
        sql: String,
        line: String
    ) throws {
        try spoil(sql)
        let told = run(["check"])
        #expect(told.status == Int32(UInt8(truncatingIfNeeded: -26275)))
        #expect(told.output.split(separator: "\n").first?.hasSuffix(line) == true)
        #expect(told.diagnostics.contains("1 fault; nothing was changed or deleted"))
        let accepted = run(["check", "--accept-rows"])
        #expect(accepted.status == 0)
        let last = accepted.output.split(separator: "\n").last
        #expect(last?.hasSuffix(" as the ones that were written") == true)
        let after = run(["check"])
        #expect(after.status == 0 && after.diagnostics == "")
    }

    @Test func `accepts rows without forgiving what does not open`() throws {
        try spoil("UPDATE genp SET metadata = zeroblob(99) WHERE row = 1")
        let result = run(["check", "--accept-rows"])
        #expect(result.status == Int32(UInt8(truncatingIfNeeded: -26275)))
        #expect(result.diagnostics.contains("1 fault; no row was changed"))
        #expect(run(["check"]).output.contains("its attributes do not open"))
    }

    @Test func `has nothing to accept in a sound keychain`() {
        #expect(run(["check", "--accept-rows"]).output == run(["check"]).output)
    }

    @Test func `writes as JSON how many rows there are and should be`() throws {
        try spoil("DELETE FROM genp WHERE row = 1")
        let told = run(["check", "--json"]).output
        #expect(told.contains("\"kind\": \"rowSum\""))
        #expect(told.contains("\"found\": 1") && told.contains("\"expected\": 2"))
        #expect(run(["check", "--json", "--accept-rows"]).output.contains("\"accepted\": 1"))
        try spoil("UPDATE row_sum SET sealed = ''")
        #expect(run(["check", "--json"]).output.contains("\"expected\": null"))
    }

    @Test func `says how much a lock keeps closed`() {
        #expect(run(["passcode", "set"], "1234\n").status == 0)
        #expect(run(["lock-keychain"]).status == 0)
        let result = run(["check"])
        #expect(result.status == 0)
        #expect(result.output.contains("closed      2, not checked: run unlock-keychain"))
    }
}
