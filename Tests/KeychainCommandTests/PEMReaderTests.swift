import Secrets
import Testing

@testable import KeychainCommand

@Suite struct `Reading PEM` {
    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let blocks: [(label: String, content: String)]
        var testDescription: String { text.replacing("\n", with: "⏎") }

        init(_ text: String, _ blocks: [(String, String)]) {
            self.text = text
            self.blocks = blocks
        }
    }

    static func block(_ body: String, _ label: String = "A") -> String {
        "-----BEGIN \(label)-----\n\(body)\n-----END \(label)-----\n"
    }

    @Test(arguments: [
        Row(block("YWJj"), [("A", "abc")]),
        Row(block("YWI="), [("A", "ab")]),
        Row(block("YQ=="), [("A", "a")]),
        Row(block(""), [("A", "")]),
        Row(block("YW\nJj\n\n YW Jj"), [("A", "abcabc")]),
        Row(
            "text\n" + block("YQ==") + "more\n" + block("Yg==", "B C"),
            [("A", "a"), ("B C", "b")]
        ),
        Row(block("YQ==").replacing("\n", with: "\r\n"), [("A", "a")]),
        Row(block("YQ==").replacing("-----\n", with: "-----  \n"), [("A", "a")]),
        Row("-----BEGIN A-----\nYQ==\n-----END A-----", [("A", "a")]),
        Row(block("Key: value\n\nYQ=="), [("A", "a")]),
        Row("no block at all", []),
        Row(" -----BEGIN A-----\nYQ==", []),
        Row("-----BEGIN \u{1B}[2J-----\n", []),
        Row("-----BEGIN \(String(repeating: "A", count: 65))-----\n", []),
        Row("", []),
    ])
    func `finds the blocks and passes over everything else`(row: Row) throws {
        let text = Secret(copying: Array(row.text.utf8))
        let found = try PEMReader.blocks(in: text)
        #expect(found.map(\.label) == row.blocks.map(\.label))
        let contents = found.map { block in
            String(decoding: block.content.secret.copyBytesUnprotected(), as: UTF8.self)
        }
        #expect(contents == row.blocks.map(\.content))
        #expect(PEMReader.recognizes(text) == !row.blocks.isEmpty)
    }

    @Test(
        arguments: [
            ("-----BEGIN A-----\n", .unfinished),
            ("-----BEGIN A-----\nYQ==", .unfinished),
            ("-----BEGIN A-----\nYQ==\n-----END B-----\n", .unfinished),
            ("-----BEGIN A-----\nYQ==\n-----BEGIN A-----\n-----END A-----\n", .unfinished),
            (block("YQ="), .malformed), (block("Y"), .malformed), (block("YQ==YQ=="), .malformed),
            (block("===="), .malformed), (block("Y=Q="), .malformed), (block("YQ-_"), .malformed),
            (block("YWJj\u{0}"), .malformed), (block("é"), .malformed),
        ] as [(String, PEMError)]
    )
    func `refuses blocks that are damaged`(text: String, error: PEMError) {
        #expect(throws: error) { try PEMReader.blocks(in: Secret(copying: Array(text.utf8))) }
    }

    @Test func `notices encryption of the traditional kind`() throws {
        let headers = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nYQ=="
        let found = try PEMReader.blocks(in: Secret(copying: Array(Self.block(headers).utf8)))
        #expect(found.map(\.isEncrypted) == [true])
    }

    @Test(arguments: Array(0...100) + [1000])
    func `is the reverse of writing`(byteCount: Int) throws {
        let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 167) }
        let text = ByteRule.pem("SOME THING").text(of: bytes)
        #expect(text.split(separator: "\n").allSatisfy { $0.utf8.count <= 64 })
        let found = try PEMReader.blocks(in: Secret(copying: Array(text.utf8)))
        #expect(found.map(\.label) == ["SOME THING"])
        #expect(found.first?.content.secret.copyBytesUnprotected() == bytes)
    }
}
