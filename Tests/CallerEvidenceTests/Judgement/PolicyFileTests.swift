import CallerEvidence
import TestSupport
import Testing

/// A file that does not count, with the line and a word of the reason.
private struct BadFile: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    let line: Int
    let word: String

    init(_ text: String, line: Int = 1, _ word: String) {
        testDescription = "\(text.prefix(60)): \(word)"
        self.text = text
        self.line = line
        self.word = word
    }

    static let all = [
        BadFile("", "missing"),
        BadFile("{", "missing"),
        BadFile("[1]", "object"),
        BadFile("{}", "program, unit"),
        BadFile(#"{"level": "verified"}"#, "program, unit"),
        BadFile(
            "{\n\"program\": \"/usr/bin/a\",\n\"groups\": []}",
            line: 3,
            "unknown key `groups`"
        ),
        BadFile(#"{"program": "/a", "unit": "a.service"}"#, "not both"),
        BadFile(#"{"program": "/a", "program": "/b"}"#, "repeats"),
        BadFile(#"[{"program": "/a"}, {"program": "/a"}]"#, "two policies"),
        BadFile(#"{"program": "mailer"}"#, "absolute path"),
        BadFile(#"{"program": "/usr//bin/a"}"#, "absolute path"),
        BadFile(#"{"program": "/usr/../bin/a"}"#, "absolute path"),
        BadFile(#"{"program": "/usr/bin/"}"#, "absolute path"),
        BadFile(#"{"program": "/usr/./a"}"#, "absolute path"),
        BadFile(#"{"program": "/a\u0000b"}"#, "control character"),
        BadFile(#"{"program": ""}"#, "not empty"),
        BadFile(#"{"program": 7}"#, "not empty"),
        BadFile(#"{"unit": "shop"}"#, "shop.service"),
        BadFile(#"{"program": "/a", "level": "root"}"#, "`level`"),
        BadFile(#"{"program": "/a", "accessGroups": "mail"}"#, "list"),
        BadFile(#"{"program": "/a", "accessGroups": [["mail"]]}"#, "not empty"),
        BadFile(#"{"program": "/a", "accessGroups": ["mail*"]}"#, "no `*`"),
        BadFile(#"{"program": "/a", "applicationIdentifier": "*"}"#, "no `*`"),
        BadFile(#"{"program": "/a", "applicationIdentifier": ""}"#, "not empty"),
        BadFile("{\"account\": \"" + String(repeating: "a", count: 256) + "\"}", "255 bytes"),
        BadFile("[[[[[]]]]]", "nested"),
    ]
}

@Suite(.requirement("DMN-06")) struct `A policy file` {
    private func parse(_ text: String) throws -> [ProgramPolicy] {
        try PolicyFile.parse(Array(text.utf8), path: "/etc/keychain/programs.d/a.json")
    }

    @Test func `holds one policy`() throws {
        let text = """
            { "program": "/usr/bin/mailer", "level": "observed",
              "applicationIdentifier": "mailer", "accessGroups": ["mail", "shared"] }
            """
        let policy = try #require(try parse(text).first)
        #expect(policy.selector == .program("/usr/bin/mailer"))
        #expect(policy.level == .observed)
        #expect(policy.groups == ["mail", "shared", "mailer"])
        #expect(policy.source == "/etc/keychain/programs.d/a.json")
    }

    @Test func `holds a list`() throws {
        let text = #"[{"unit": "shop.service"}, {"snap": "mailer"}, {"label": "m"}]"#
        #expect(try parse(text).map(\.selector.key) == ["unit", "snap", "label"])
        #expect(try parse("[]").isEmpty)
    }

    @Test(arguments: [
        ("program", "/a", EvidenceLevel.verified), ("unit", "a.service", .verified),
        ("flatpak", "org.example.A", .confined), ("snap", "a", .confined),
        ("label", "a", .confined),
        ("account", "a", .nobody),
    ])
    func `demands the best that its selector can reach, without a level`(
        key: String,
        value: String,
        level: EvidenceLevel
    ) throws {
        #expect(try parse(#"{"\#(key)": "\#(value)"}"#).first?.level == level)
    }

    @Test(arguments: BadFile.all)
    fileprivate func `is refused as a whole for one mistake`(file: BadFile) throws {
        let error = try #require(throws: PolicyError.self) { try parse(file.text) }
        #expect(error.line == file.line)
        #expect(error.reason.contains(file.word), "\(error.reason)")
    }
}
