import KeychainModel
import TestSupport
import Testing

@Suite(.requirement("HRD-13")) struct `Text of others on a line of ours` {
    @Test(arguments: [
        "/usr/bin/mailer", "path:/usr/bin/mailer", "TEAM.app", "user@host", "a+b=c~d%20,e",
    ])
    func `stays as it is if nothing can be mistaken`(text: String) {
        #expect(QuotedText.of(text) == text)
    }

    @Test(
        arguments: [
            ("", #""""#), ("a b", #""a b""#), ("a  find", #""a  find""#),
            ("/x (verified)", #""/x (verified)""#), ("a\tb", #""a\u{9}b""#),
            ("a\nb", #""a\u{a}b""#), (#"a"b"#, #""a\"b""#), (#"a\b"#, #""a\\b""#),
            (#"a\u{9}b"#, #""a\\u{9}b""#), ("é", #""é""#), ("日本", #""日本""#),
            ("a\u{a0}b", #""a\u{a0}b""#), ("a\u{3000}b", #""a\u{3000}b""#),
            ("a\u{201d}b", #""a\u{201d}b""#), ("a\u{ff02}b", #""a\u{ff02}b""#),
            ("a\u{ff08}b", #""a\u{ff08}b""#), ("a\u{202e}b", #""a\u{202e}b""#),
            ("a\u{200b}b", #""a\u{200b}b""#), ("\u{5d0}1", #""\u{5d0}1""#),
            ("\u{301}a", #""\u{301}a""#), ("e\u{301}", "\"e\u{301}\""), ("😀", #""\u{1f600}""#),
        ]
    )
    func `is quoted, and escaped, if something can`(text: String, shown: String) {
        #expect(QuotedText.of(text).unicodeScalars.elementsEqual(shown.unicodeScalars))
    }
}
