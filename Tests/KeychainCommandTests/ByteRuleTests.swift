import KeychainModel
import Secrets
import Testing

@testable import KeychainCommand

@Suite struct `Writing bytes down` {
    struct Row: Sendable, CustomTestStringConvertible {
        let bytes: [UInt8]
        let plain: String
        let dump: String
        let json: String
        var testDescription: String { dump }

        init(_ bytes: [UInt8], plain: String, dump: String, json: String) {
            self.bytes = bytes
            self.plain = plain
            self.dump = dump
            self.json = json
        }
    }

    static let rows: [Row] = [
        Row([], plain: "", dump: "", json: #""""#),
        Row(Array("a b~".utf8), plain: "a b~", dump: #""a b~""#, json: #""a b~""#),
        Row(Array(#"q""#.utf8), plain: #"q""#, dump: #""q"""#, json: #""q\"""#),
        Row(
            Array(#"with\back"#.utf8),
            plain: #"with\back"#,
            dump: #"0x776974685C6261636B  "with\134back""#,
            json: #""with\\back""#
        ),
        // What the one above looked like.
        Row(
            Array(#"with\134back"#.utf8),
            plain: #"with\134back"#,
            dump: #"0x776974685C3133346261636B  "with\134134back""#,
            json: #""with\\134back""#
        ),
        Row([0x5C], plain: #"\"#, dump: "0x5C ", json: #""\\""#),
        Row([0x00], plain: "00", dump: "0x00 ", json: #""\u0000""#),
        Row(
            Array("a\n\\".utf8),
            plain: "610a5c",
            dump: #"0x610A5C  "a\012\134""#,
            json: #""a\n\\""#
        ),
        Row(Array("é".utf8), plain: "c3a9", dump: "0xC3A9 ", json: #""é""#),
        Row(
            Array("x\u{202E}".utf8),
            plain: "78e280ae",
            dump: #"0x78E280AE  "x\342\200\256""#,
            json: #""x\u202e""#
        ),
        Row(
            Array("\u{E0041}".utf8),
            plain: "f3a08181",
            dump: "0xF3A08181 ",
            json: #""\udb40\udc41""#
        ),
        Row([0x7F, 0xFF], plain: "7fff", dump: "0x7FFF ", json: "\"\\u007f\u{FFFD}\""),
    ]

    @Test(arguments: rows)
    func `has a form for each purpose`(row: Row) {
        #expect(ByteRule.plain.text(of: row.bytes) == row.plain)
        #expect(ByteRule.dump.text(of: row.bytes) == row.dump)
        #expect(ByteRule.json.text(of: row.bytes) == row.json)
    }

    @Test(arguments: rows)
    func `is the same for secrets, which stay secrets`(row: Row) {
        let secret = Secret(copying: row.bytes)
        let written = ByteRule.json.secret(of: secret)
        #expect(written.copyBytesUnprotected() == Array(row.json.utf8))
    }

    @Test(
        arguments: [
            ([], true), (Array("é\u{1F600}".utf8), true), ([0xFF], false), ([0xC3], false),
            ([0xED, 0xA0, 0x80], false), ([0xC0, 0x80], false),
        ] as [([UInt8], Bool)]
    )
    func `knows text from other bytes`(bytes: [UInt8], isText: Bool) {
        #expect(bytes.withUnsafeBytes(ByteRule.isText) == isText)
    }

    @Test(arguments: [
        ("plain ü", "plain ü"), ("\u{1B}[2J", "\\u{1b}[2J"), ("a\r\nb", "a\\u{d}\\u{a}b"),
        ("\u{85}\u{2028}\u{2066}\u{FEFF}", "\\u{85}\\u{2028}\\u{2066}\\u{feff}"),
    ])
    func `shows what would steer a terminal`(text: String, visible: String) {
        #expect(VisibleText.escaping(text) == visible)
    }
}
