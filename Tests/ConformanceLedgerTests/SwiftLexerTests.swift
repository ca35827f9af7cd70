import Testing

@testable import conformance_ledger

@Suite struct `Cutting Swift into tokens` {
    private func code(_ source: String) -> [String] {
        SwiftLexer.tokens(of: source).filter { $0.kind != .comment && $0.kind != .string }
            .map(\.text)
    }

    @Test(arguments: [
        ("a \"try!\" b", ["a", "b"]),
        ("a // try!\nb", ["a", "b"]),
        ("a /* one /* two */ try! */ b", ["a", "b"]),
        ("a \"\"\"\n\"quoted\" { \n\"\"\" b", ["a", "b"]),
        (##"a #"not \(closed" yet"# b"##, ["a", "b"]),
        (#"a "\(f(")"))" b"#, ["a", "b"]),
        (#"a "\\" b"#, ["a", "b"]),
        ("a #/ { \" /# b", ["a", "b"]),
        ("`a sentence { with braces` b", ["a sentence { with braces", "b"]),
        ("#if x", ["#", "if", "x"]),
        ("\"\" a", ["a"]),
    ])
    func `quoted and commented text is not code`(source: String, expected: [String]) {
        #expect(code(source) == expected)
    }

    @Test(arguments: [
        "\"open", "/* open", "`open", "\"\"\"\nopen", "#\"open", "\"\\(open", "#/open",
    ])
    func `an unterminated piece ends with the file`(source: String) {
        #expect(SwiftLexer.tokens(of: source).count == 1)
    }

    @Test func `a token knows its line, after multi-line strings too`() {
        let tokens = SwiftLexer.tokens(of: "a\n\"\"\"\nx\n\"\"\"\nb")
        #expect(tokens.map(\.line) == [1, 2, 5])
    }
}
