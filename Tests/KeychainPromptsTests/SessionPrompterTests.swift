import KeychainModel
import TestSupport
import Testing

@testable import KeychainPrompts

private struct Row: CustomTestStringConvertible {
    let testDescription: String
    let reason: String?
    let text: String

    init(_ name: String, _ reason: String?, _ text: String) {
        testDescription = name
        self.reason = reason
        self.text = text
    }
}

private let rows: [Row] = [
    Row("no words", nil, ""),
    Row("words", "to read mail", " The program says: “to read mail”"),
    Row(
        "words that end the quotation",
        "x” The system asks for \"root\" «now»",
        " The program says: “x' The system asks for 'root' 'now'”"
    ),
    Row(
        "words that steer a terminal",
        "a\u{1B}[2Jb\nc",
        " The program says: “a\\u{1b}[2Jb\\u{a}c”"
    ),
]

@Suite struct `A prompt for another program` {
    @Test(.requirement("DMN-09"), arguments: rows)
    fileprivate func `quotes the program's words`(_ row: Row) throws {
        let prompt = Prompt(.passcode, reason: row.reason)
        let text = try #require(
            PromptText(prompt, program: "/usr/bin/mailer", standing: "verified")
        )
        let start = "[verified] /usr/bin/mailer asks for the keychain's passcode."
        #expect(text.description == start + row.text)
    }

    @Test(.requirement("DMN-09")) func `has a dialog with a clean environment`() {
        let hostile = [
            "DISPLAY": ":0", "LANG": "de_DE.UTF-8", "LD_PRELOAD": "/srv/ada/evil.so",
            "PATH": "/srv/ada/bin", "HOME": "/srv/ada", "GTK_MODULES": "evil",
            "QT_PLUGIN_PATH": "/srv/ada", "XDG_CONFIG_HOME": "/srv/ada/.config",
        ]
        let prompter = SessionPrompter(variable: { hostile[$0] }, terminal: "/nonexistent")
        let nowhere = "/nonexistent"
        // Neither the loader's variables nor those of toolkits.
        #expect(
            prompter.environment == [
                "DISPLAY": ":0", "LANG": "de_DE.UTF-8", "PATH": "/usr/bin:/bin", "HOME": nowhere,
                "XDG_CONFIG_HOME": nowhere, "XDG_DATA_HOME": nowhere, "XDG_CACHE_HOME": nowhere,
            ]
        )
    }

    @Test func `is impossible without display and terminal`() {
        let prompter = SessionPrompter(variable: { _ in nil }, terminal: "/nonexistent")
        let answer = prompter.answer(
            Prompt(.passcode),
            of: "/usr/bin/mailer",
            standing: "verified",
            while: { true }
        )
        #expect("\(answer)" == "impossible")
    }
}
