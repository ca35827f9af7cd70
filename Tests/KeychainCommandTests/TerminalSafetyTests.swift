import Foundation
import KeychainModel
import TestSupport
import Testing

@testable import KeychainCommand

@Suite struct `A line for a person` {
    /// What acts on terminals, as it may stand in a group, a label or a path.
    private static let steering = [
        "\u{1B}[2J", "\r", "\n", "\u{7}", "\u{8}", "\u{7F}", "\u{85}", "\u{90}", "\u{9B}31m",
        "\u{9D}0;x\u{9C}", "\u{202E}", "\u{2066}", "\u{200B}", "\u{2028}", "\u{FEFF}", "\u{E0041}",
    ]

    /// Words of which one holds the text.
    private static let calls: [@Sendable (String) -> [String]] = [
        { ["add-generic-password", "-a", "a", "-s", "b", "--access-group", "TEAM." + $0] },
        { ["find-generic-password", "-s", "none" + $0, "--access-group", "TEAM.other" + $0] },
        { ["import", "/none/" + $0] },
        { ["export", "-o", "/none/" + $0] },
        { ["backup", "/none/" + $0] },
        { ["restore", "/none/" + $0] },
        { ["find-generic-password", "--accessible", "x" + $0] },
        { ["find-generic-password", "-x" + $0] },
        { ["find-generic-password", "--option" + $0] },
        { ["com" + $0 + "mand"] },
        { ["error", "x" + $0] },
        { ["env", "service" + $0, "--", "/none/" + $0] },
        { ["add-generic-password", "-a", $0, "-s", $0, "-l", $0, "--require", "x" + $0] },
        { ["dump-keychain", "x" + $0] },
    ]

    @Test(arguments: steering, calls.indices)
    func `holds nothing that steers the terminal`(text: String, call: Int) throws {
        let terminal = TestTerminal(input: Array("secret\nsecret\n".utf8))
        let words = ["keychainctl"] + Self.calls[call](text)
        _ = TestKeychain.run(words, on: try TestKeychain.endpoint(), terminal)
        let lines = terminal.diagnosticsText.split(separator: "\n")
        let steered = lines.filter { $0.unicodeScalars.contains(where: VisibleText.isHidden) }
        #expect(steered == [], "\(words)")
        #expect(lines.filter { !$0.hasPrefix("keychainctl: ") } == [], "\(words)")
    }

    @Test(arguments: steering, ["dump-keychain", "dump-keychain --table", "dump-keychain --json"])
    func `shows what an item is called without obeying it`(
        text: String,
        listing: String
    ) throws {
        let endpoint = try TestKeychain.endpoint()
        let adding = ["add-generic-password", "-a", "a" + text, "-s", "b" + text, "-l", "l" + text]
        let input = TestTerminal(input: Array("secret\n".utf8))
        #expect(TestKeychain.run(["keychainctl"] + adding, on: endpoint, input) == 0)
        let words = ["keychainctl"] + listing.split(separator: " ").map(String.init)
        let terminal = TestTerminal(outputIsTerminal: true)
        #expect(TestKeychain.run(words, on: endpoint, terminal) == 0)
        let output = terminal.outputText.unicodeScalars
        #expect(output.contains("b"))
        #expect(!output.contains { $0 != "\n" && VisibleText.isHidden($0) })
    }
}
