import ConformanceLedgerCore
import Testing

/// Source that breaks, or keeps, a rule.
private struct Example: CustomTestStringConvertible {
    let rule: TidyRule
    let path: String
    let text: String
    let lines: [Int]

    init(
        _ rule: TidyRule,
        _ text: String,
        at path: String = "Sources/Secrets/A.swift",
        _ lines: Int...
    ) {
        self.rule = rule
        self.path = path
        self.text = text
        self.lines = lines
    }

    var testDescription: String {
        "\(rule.name): \(text.prefix(40).replacing("\n", with: "⏎"))"
    }
}

private let long = String(repeating: "a", count: 101)
private let body = String(repeating: "    x()\n", count: 60)
private let store = "Sources/KeychainEngine/Store/A.swift"
private let tests = "Tests/ExampleTests/A.swift"
private let wall = "Sources/Cryptography/Libcrypto/A+Libcrypto.swift"

private let examples: [Example] = [
    Example(.lineLength, "a\n\(long)", 2),
    Example(.lineLength, "// https://a.example/\(long)"),
    Example(.fileLength, String(repeating: "\n", count: 401), 401),
    Example(.fileLength, String(repeating: "\n", count: 400)),
    Example(.fileLength, "// ★\n" + String(repeating: "\n", count: 699)),
    Example(.fileLength, "// ★\n" + String(repeating: "\n", count: 700), 701),
    Example(.functionLength, "struct A {\nfunc f(_ g: () -> A = { A() }) {\n\(body)}\n}", 2),
    Example(.functionLength, "struct A {\nfunc f()\n}\n\(body)func g() {}"),
    Example(.functionLength, "protocol A {\nfunc f()\nvar a: B { get }\n}\n\(body)struct C {}"),
    Example(.functionLength, "extension A {\ninit() {\n\(body)}\n}", 2),
    Example(.functionLength, "let a = A.init(b)\n\(body){ }"),
    Example(.declaredImports, "import Glibc\n@_exported import struct Foundation.Date", 2),
    Example(.declaredImports, "import Glibc", at: "Sources/Nobody/A.swift", 1),
    Example(.declaredImports, "import Foundation", at: "Tests/SecretsTests/A.swift"),
    Example(.sqlStaysInStore, "\nlet a = \"SELECT * FROM items\"", 2),
    Example(.sqlStaysInStore, "let a = \"\"\"\n    DELETE FROM items\n    \"\"\"", 1),
    Example(.sqlStaysInStore, "let a = \"UPDATE items SET a = 1\"", at: store),
    Example(.sqlStaysInStore, "// SELECT * FROM items\nlet a = \"Select an item from a list\""),
    Example(.sqliteStaysInStore, "import CSQLite", 1),
    Example(.sqliteStaysInStore, "import CSQLite", at: store),
    Example(.libcryptoStaysBehindWall, "import CCrypto", at: "Sources/Cryptography/A.swift", 1),
    Example(.libcryptoStaysBehindWall, "import CCrypto", at: wall),
    Example(.noForcedTry, "let a = try! f()", 1),
    Example(.noForcedTry, "// try! f()\nlet a = \"try! f()\"; try f()"),
    Example(.noForcedTry, "let a = try !f()"),
    Example(.noForcedCast, "let a = b as! C", 1),
    Example(.noForcedCast, "let a = b as! C", at: "Tests/ConformanceTests/A.swift"),
    Example(.noFatalError, "fatalError(\"no\")", 1),
    Example(.noUnfinishedWork, "/// A.\n// TO" + "DO: finish", 2),
    Example(.arguedSendable, "/// An A.\nstruct A: @unchecked Sendable {}", 2),
    Example(
        .arguedSendable,
        "/// `@unchecked Sendable` is sound.\n@B\nstruct A: @unchecked Sendable {}"
    ),
    Example(.noVagueTypeNames, "struct KeyManager {}\nextension FileManager {}", 1),
    Example(
        .programsForbidDumps,
        "import A\n\n// Why.\nf()\nCoreDump.exclude()\n",
        at: "Sources/a/main.swift",
        4
    ),
    Example(.programsForbidDumps, "import A\nCoreDump.exclude()", at: "Sources/a/main.swift"),
    Example(.programsForbidDumps, "f()", at: "Tools/A/main.swift"),
    Example(.testsCheckSomething, "@Test func a() { b() }\nfunc b() {}", at: tests, 1),
    Example(
        .testsCheckSomething,
        "@Test(arguments: [1].map { $0 })\nfunc `a`(b: Int) {}",
        at: tests,
        2
    ),
    Example(.testsCheckSomething, "@Test func a() { \"#expect\" /* #expect */ }", at: tests, 1),
    Example(.testsCheckSomething, "@Test func a() { #expect(b) }\nfunc c() {}", at: tests),
    Example(.testsCheckSomething, "@Test func a() throws { try #require(b) }", at: tests),
    Example(
        .testsCheckSomething,
        "@Test func a() { b() }\nfunc b() { c() }\nfunc c() { #expect(d) }",
        at: tests
    ),
    Example(.testsCheckSomething, "@Test func a() {}"),
    Example(.noMachinePaths, "# A\n/ho" + "me/someone", at: "README.md", 2),
]

/// Records one issue that lists every finding on a line of its own.
private func report(
    _ findings: [some CustomStringConvertible],
    at location: SourceLocation = #_sourceLocation
) {
    guard !findings.isEmpty else { return }
    let list = findings.map(\.description).joined(separator: "\n")
    Issue.record("\(findings.count) to mend:\n\(list)", sourceLocation: location)
}

@Suite struct `Tidy rules` {
    @Test(arguments: examples)
    fileprivate func `a rule finds what breaks it and nothing else`(example: Example) {
        let findings = example.rule.findings(SourceFile(example.path, example.text))
        #expect(findings.map(\.line) == example.lines)
    }

    @Test(arguments: TidyRule.all)
    func `every file keeps the rule`(rule: TidyRule) {
        let files = rule.readsEveryText ? Checkout.texts : Checkout.swiftFiles
        let findings = files.flatMap(rule.findings)
        report(findings)
    }

    @Test func `the checkout was found`() {
        #expect(Checkout.swiftFiles.contains { $0.path == "Tests/TidyTests/TidyRuleTests.swift" })
        #expect(Checkout.texts.contains { $0.path == "Documentation/Conformance/areas.tsv" })
    }
}

@Suite struct `The conformance ledger` {
    @Test func `is in step with the tests`() throws {
        let problems = try Ledger(root: Checkout.root).check()
        report(problems)
    }
}
