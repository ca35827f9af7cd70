import KeychainModel
import Testing

@testable import KeychainPrompts

/// A path that tries to hide or imitate words of a prompt.
private struct HostilePath: CustomTestStringConvertible {
    let testDescription: String
    let path: String
    /// The words that the prompt must not have.
    let lie: String

    init(_ name: String, _ path: String, lie: String = "[verified]") {
        testDescription = name
        self.path = path
        self.lie = lie
    }
}

private let sentence = "[verified] /usr/bin/mailer asks for the keychain's passcode."

private let hostile: [HostilePath] = [
    HostilePath("4,000 letters", "/srv/" + String(repeating: "a", count: 4_000)),
    HostilePath(
        "4,000 letters and a sentence",
        "/srv/" + String(repeating: "a/", count: 2_000) + sentence,
        lie: sentence
    ),
    HostilePath("a sentence between blanks", "/srv/x asks. \(sentence)", lie: sentence),
    HostilePath(
        "a line of its own",
        "/srv/x" + String(repeating: "\n", count: 90) + sentence,
        lie: "\n"
    ),
    HostilePath("blanks of other kinds", "/srv/x\u{a0}\u{2003}\u{3000}[verified]", lie: "\u{2003}"),
    HostilePath("text from right to left", "/srv/\u{202e}]deifirev[\u{202c}", lie: "\u{202e}"),
    HostilePath("marks of direction", "/srv/\u{200f}\u{2067}x\u{2069}", lie: "\u{2067}"),
    HostilePath(
        "marks above the line",
        "/srv/x" + String(repeating: "\u{336}\u{488}", count: 40),
        lie: "\u{336}"
    ),
    HostilePath("a terminal's words", "/srv/\u{1b}[2K\r[verified]", lie: "\u{1b}"),
    HostilePath("a gap that looks like ours", "/srv/…/mailer", lie: "…"),
    HostilePath("letters that a pinentry spells out", "/srv/" + String(repeating: "%", count: 200)),
    HostilePath("words of four bytes", "/srv/" + String(repeating: "𝕏", count: 4_000)),
]

private let standings = ["verified", "confined", "observed", "nobody"]

@Suite struct `The text of a prompt` {
    private let kinds: [Prompt.Kind] = [
        .passcode, .applicationPassword, .newApplicationPassword, .biometry(.touchID),
    ]

    @Test(.requirement("HRD-12"), arguments: hostile, standings)
    fileprivate func `begins with the level and ends the path`(
        _ row: HostilePath,
        _ standing: String
    ) throws {
        for kind in kinds {
            let prompt = Prompt(kind, reason: String(repeating: "r", count: 4_000))
            let text = try #require(
                PromptText(prompt, program: row.path, standing: standing)
            ).description
            #expect(text.hasPrefix("[\(standing)] /srv/"))
            let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
            #expect(parts[1].utf8.count <= ProgramName.limit)
            #expect(parts[2].hasPrefix("asks for "))
            if standing != "verified" || row.lie != "[verified]" {
                #expect(!text.contains(row.lie) || row.path.count > ProgramName.limit)
            }
            #expect(!text.unicodeScalars.contains(where: VisibleText.isHidden))
        }
    }

    @Test(
        .requirement("HRD-12"),
        arguments: hostile,
        ["％\"𝕏", "%", "\n", "\u{336}", "a b", "xxxxxxxx "]
    )
    fileprivate func `fits into a line of a pinentry with all of its words`(
        _ row: HostilePath,
        _ words: String
    ) throws {
        let prompt = Prompt(.passcode, reason: String(repeating: words, count: 300))
        let text = try #require(
            PromptText(prompt, program: row.path, standing: "observed")
        ).description
        let argument = AssuanEscape.escaping(DialogLines.broken(text))
        #expect(argument.utf8.count <= PinentryPrompter.argumentByteCountLimit)
        #expect(text.hasSuffix("”"))
        #expect(text.filter { $0 == "”" }.count == 1)
    }

    @Test func `keeps the start and the end of a long path`() {
        let path = "/usr/lib/" + String(repeating: "deep/", count: 100) + "mailer"
        let shown = ProgramName.shown(path)
        #expect(shown.hasPrefix("/usr/lib/deep/"))
        #expect(shown.hasSuffix("deep/mailer"))
        #expect((95...ProgramName.limit).contains(shown.utf8.count))
        #expect(shown.filter { $0 == "…" }.count == 1)
    }

    @Test(arguments: [
        "/usr/bin/mailer", "org.example.Mailer (Flatpak)", "process 77", "mail.service",
    ])
    func `shows a plain name as it is`(name: String) {
        #expect(ProgramName.shown(name) == name)
    }

    @Test(.requirement("HRD-12"))
    func `has no button that a program fills with other words`() throws {
        let dialog = try ScriptedProgram.pinentry(answering: #"OK\n"#)
        let title = "Cancel\u{202e}" + String(repeating: "x", count: 400) + "\n[verified]"
        let prompter = PinentryPrompter(
            pinentry: dialog.path,
            program: "/usr/bin/mailer",
            settings: try PromptSettings { _ in nil },
            terminal: nil
        )
        let prompt = Prompt(.biometry(.touchID), offersFallback: true, fallbackTitle: title)
        let text = try #require(PromptText(prompt, program: "/usr/bin/mailer", standing: "nobody"))
        _ = prompter.answer(prompt, saying: text, while: { true })
        let button = try #require(
            dialog.log.split(separator: "\n").first { $0.hasPrefix("SETOK ") }
        )
        #expect(button.count < 60)
        #expect(button.contains(#"\u{202e}"#))
        #expect(!button.contains("[verified]"))
    }
}
