import TestSupport
import Testing

@testable import JSON

/// Writes to a text; what is the owner's own is a number in angle brackets.
private struct TextOutput: JSONOutput {
    var text = ""

    mutating func append(raw text: String) { self.text += text }

    mutating func append(quoted text: String) {
        var bytes: [UInt8] = []
        Array(text.utf8).withUnsafeBytes { source in
            JSONString.write(source) { bytes.append($0) }
        }
        self.text += String(decoding: bytes, as: UTF8.self)
    }

    mutating func append(own leaf: Int) { text += "<\(leaf)>" }
}

@Suite struct `Writing JSON` {
    private static let value: JSONTree<Int> = .object([
        "b": .list([.number(-7), .fraction(0.5), .flag(true), .flag(false), .null, .own(3)]),
        "a": .text("line\nfeed \"\\ \u{1}é\u{202E}"),
        "c": .object([:]),
        "d": .list([]),
    ])

    private static let written = """
        {
          "a": "line\\nfeed \\"\\\\ \\u0001é\u{202E}",
          "b": [
            -7,
            0.5,
            true,
            false,
            null,
            <3>
          ],
          "c": {},
          "d": []
        }

        """

    @Test func `is lines with two spaces per level and keys in order`() {
        var output = TextOutput()
        Self.value.write(to: &output)
        #expect(output.text == Self.written)
    }

    @Test func `can be read again`() throws {
        var output = TextOutput()
        JSONTree<Int>.list([.text("a\u{0}\u{1F}\"\\é\u{1F600}"), .number(.min)]).write(to: &output)
        let again = try JSONText.read(Array(output.text.utf8)) { text throws(JSONError) in
            try JSONTree<Int>(text)
        }
        guard case .list(let values) = again else {
            Issue.record("no list")
            return
        }
        let texts = values.compactMap { if case .text(let text) = $0 { text } else { nil } }
        #expect(texts == ["a\u{0}\u{1F}\"\\é\u{1F600}"])
        let numbers = values.compactMap { if case .number(let number) = $0 { number } else { nil } }
        #expect(numbers == [.min])
    }

    private static let rows: [(bytes: [UInt8], written: String)] = [
        ([0xFF], "\"\u{FFFD}\""), ([0xED, 0xA0, 0x80], "\"\u{FFFD}\u{FFFD}\u{FFFD}\""),
        (Array("\u{7F}".utf8), "\"\u{7F}\""),
    ]

    @Test(arguments: rows)
    func `replaces bytes that are no text, and escapes no more than it must`(
        bytes: [UInt8],
        written: String
    ) {
        var output: [UInt8] = []
        bytes.withUnsafeBytes { source in JSONString.write(source) { output.append($0) } }
        #expect(String(decoding: output, as: UTF8.self) == written)
    }
}
