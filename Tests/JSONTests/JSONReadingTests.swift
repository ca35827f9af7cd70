import Cryptography
import TestSupport
import Testing

@testable import JSON

/// Reads a text, and hands back what of it is to be seen.
private func read<R>(
    _ text: String,
    _ limits: JSONLimits = JSONLimits(),
    _ body: (JSONText) throws(JSONError) -> R
) throws(JSONError) -> R {
    try JSONText.read(Array(text.utf8), limits, body)
}

private func tree(_ text: String) throws(JSONError) -> JSONTree<Never> {
    try read(text) { text throws(JSONError) in try JSONTree(text) }
}

@Suite struct `Reading JSON` {
    private static let wrong = [
        "", " ", "{", "}", "[", "]", "[1,]", "[,1]", "[1 2]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}",
        "{a:1}", "{'a':1}", "{1:1}", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "\"", "\"a", "\"\\\"",
        "nul", "nulll", "True", "NaN", "nan", "inf", "Infinity", "-", "+1", "01", "-01", "1.",
        ".5", "1e", "1e+", "0x10", "1_000", "--1", "1 2", "[1] x", "// 1", "/**/1", "\u{0}",
        "\"a\nb\"", "\"a\tb\"", "\"\u{1F}\"", "\"\\\n\"", "\u{FEFF}", "\u{FEFF}\u{FEFF}1",
        "\u{A0}1",
    ]

    @Test(arguments: wrong)
    func `refuses what is not one whole value`(text: String) {
        #expect(throws: JSONError.self) { try read(text) { _ in } }
    }

    private static let numbers = [
        "0", "-0", "1", "-1", "10", "0.5", "-0.5", "1e3", "1E3", "1e+3", "1e-3", "1.25e2",
        "9223372036854775807", "9223372036854775808", "1e308",
    ]

    @Test(arguments: numbers)
    func `knows every form of a number`(text: String) throws {
        #expect(try tree(text).double == Double(text))
    }

    @Test func `refuses a number without bounds`() {
        #expect(throws: JSONError(line: 2, reason: "a number of JSON that is too large")) {
            _ = try tree("[1,\n1e999]")
        }
    }

    private static let strings: [(text: String, value: String?)] = [
        (#""""#, ""), (#""é✓""#, "é✓"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
        (#""\u00e9\uD83D\uDE00""#, "é😀"), (#""\ud83d""#, nil), (#""\ude00\ud83d""#, nil),
        (#""\ud83d\u0041""#, nil), (#""\u12""#, nil), (#""\u+123""#, nil), (#""\x""#, nil),
        (#""\u0000""#, "\u{0}"),
    ]

    @Test(arguments: strings)
    func `decodes a string, unless an escape makes no sense`(text: String, value: String?) throws {
        #expect(try read(text) { $0.text($0.root) } == value)
        if case .text(let found)? = try? tree(text) {
            #expect(found == value)
        } else {
            #expect(value == nil)
        }
    }

    @Test func `refuses bytes that are not UTF-8 where they would be text`() throws {
        let bytes: [UInt8] = [0x22, 0xFF, 0x22]
        #expect(try JSONText.read(bytes) { $0.text($0.root) } == nil)
        #expect(throws: JSONError.self) {
            try JSONText.read([0x7B] + bytes + [0x3A, 0x31, 0x7D]) { _ in }
        }
    }

    @Test(arguments: [("[", "]"), ("{\"a\":", "}")])
    func `stops at its limit of levels`(open: String, close: String) throws {
        func nested(_ depth: Int) -> String {
            String(repeating: open, count: depth - 1) + "0"
                + String(repeating: close, count: depth - 1)
        }
        let limits = JSONLimits(depth: 8)
        try read(nested(8), limits) { _ in }
        #expect(throws: JSONError(line: 1, reason: "JSON that is nested too deeply")) {
            try read(nested(9), limits) { _ in }
        }
        #expect(throws: JSONError.self) {
            try read(String(repeating: open, count: 1_000_000)) { _ in }
        }
    }

    @Test func `stops at its limit of bytes`() throws {
        try read("[1]", JSONLimits(byteCount: 3)) { _ in }
        #expect(throws: JSONError(line: 1, reason: "JSON of more than 3 bytes")) {
            try read("[12]", JSONLimits(byteCount: 3)) { _ in }
        }
    }

    @Test func `survives any change of a text`() throws {
        let text = Array(#"{"a": [1, -2.5e3, "x\u00e9\"", null], "b": {"c": true, "d": ""}}"#.utf8)
        var numbers = SeededNumbers(seed: 1)
        for _ in 0..<2_000 {
            var changed = text
            for _ in 0..<Int.random(in: 1...4, using: &numbers) {
                let place = Int.random(in: 0..<changed.count, using: &numbers)
                changed[place] = UInt8.random(in: 0...255, using: &numbers)
            }
            changed.removeLast(Int.random(in: 0...2, using: &numbers))
            let read = try? JSONText.read(changed) { text throws(JSONError) in
                (try JSONTree<Never>(text), text.root.range)
            }
            if let range = read?.1 { #expect(range.upperBound <= changed.count) }
        }
    }
}

@Suite struct `A JSON text` {
    private static let text = """
        \u{FEFF}{
          "a": [1, {"b": "x"}],
          "a": [2, {"b": "y"}],
          "c": null
        }
        """

    private static let places: [(path: [String], written: String?)] = [
        (["a", "0"], "2"), (["a", "1", "b"], "\"y\""), (["c"], "null"), (["a", "2"], nil),
        (["a", "-1"], nil), (["a", "b"], nil), (["c", "d"], nil), (["z"], nil),
    ]

    @Test(arguments: places)
    func `finds a value by its path, the last one of a repeated key`(
        path: [String],
        written: String?
    ) throws {
        let found = try read(Self.text) { text in
            text.node(at: path).map { String(decoding: text.bytes[$0.range], as: UTF8.self) }
        }
        #expect(found == written)
    }

    @Test func `knows the lines of its values`() throws {
        let lines = try read(Self.text) { text in
            [["a"], ["c"], []].compactMap { text.node(at: $0).map { text.line(of: $0) } }
        }
        #expect(lines == [3, 4, 1])
    }

    private static let repeated: [(text: String, key: RepeatedJSONKey?)] = [
        (text, RepeatedJSONKey(path: "", key: "a", line: 3)),
        (#"{"a": [{"b": 1, "\u0062": 2}]}"#, RepeatedJSONKey(path: "a[0]", key: "b", line: 1)),
        (#"[{"a": 1}, {"a": 1}]"#, nil),
    ]

    @Test(arguments: repeated)
    func `tells of a key that stands twice`(text: String, key: RepeatedJSONKey?) throws {
        #expect(try read(text) { $0.repeatedKey } == key)
    }
}
