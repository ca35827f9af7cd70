import TestSupport
import Testing

@testable import KeychainCommand

@Suite struct `Whatever goes wrong` {
    private static let marker = "hunter2-marker"

    @Test(
        .requirement("ERR-16", "OPS-05"),
        arguments: [
            ["add-generic-password", "-a", "alice", "-s", "mail"],
            ["add-generic-password", "-a", "alice", "-s", "mail", "-w", marker],
            ["add-generic-password", "-a", "alice", "-s", "mail", marker],
            ["add-generic-password", "-a", "alice", "-s", "mail", "-w", marker, marker],
            ["add-generic-password", "-a", "alice", "-s", "mail", "-w", marker, "-p", marker],
            ["add-generic-password", "-a", "alice", "-s", "mail", "-X", marker],
            ["add-generic-password", "-a", "alice", "-s", "mail", "--\(marker)"],
            ["add-generic-password", "-a", "alice", "-s", "mail", "--json=\(marker)"],
            ["find-generic-password", "-s", "mail", "-w\(marker)"],
            ["find-generic-password", "-s", "mail"],
            ["find-generic-password", "-s", "mail", "--json"],
            ["dump-keychain"], ["dump-keychain", "--table"], ["dump-keychain", "--json"],
            ["delete-generic-password", "-s", "mail"],
            ["unlock-keychain", "-p", marker], ["unlock-keychain", marker], ["unlock-keychain"],
            ["passcode", "set", marker], ["passcode", "change"], ["passcode", "remove"],
            ["status"], ["access-groups", marker],
            ["import", "-"], ["import", "-", "-P", marker], ["import", "/dev/null", "-f", marker],
            ["import", "-", "-t", "session", "--tag", "x"], ["export", "-t", marker],
            ["export", "-f", "pkcs12"], ["export", "-f", "pkcs12", "-P", marker],
            ["find-key", "-a", marker], ["create-keypair", "-a", marker, "x"],
            ["git-credential", "get"], ["git-credential", "store"], ["git-credential", marker],
            ["docker-credential", "store"], ["docker-credential", marker],
            ["autofill", "mail", "-w"], ["autofill", marker],
            ["env", "mail", "--", "x"], ["netrc", marker], ["migrate", "--\(marker)"],
        ]
    )
    func `no output that was not asked for holds a secret`(words: [String]) throws {
        let endpoint = try TestKeychain.endpoint()
        let input = Array((Self.marker + "\n").utf8)
        let adding = ["keychainctl", "add-generic-password", "-a", "alice", "-s", "mail"]
        #expect(TestKeychain.run(adding, on: endpoint, TestTerminal(input: input)) == 0)
        let terminal = TestTerminal(input: input)
        _ = TestKeychain.run(["keychainctl"] + words, on: endpoint, terminal)
        #expect(!terminal.outputText.contains(Self.marker))
        #expect(!terminal.diagnosticsText.contains(Self.marker))
    }
}
