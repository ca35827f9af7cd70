import KeychainModel
import TestSupport
import Testing

@testable import conformance_ledger

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
private let query = "Tests/KeychainModelTests/A.swift"
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
    Example(.protectedLoadNothing, "\nlet a = dlopen(b, c)", 2),
    Example(.protectedLoadNothing, "dlmopen(a)", at: "Sources/SyncRelay/A.swift", 1),
    Example(.protectedLoadNothing, "posix_spawn(a)", at: "Sources/KeychainHost/A.swift", 1),
    Example(.protectedLoadNothing, "import SystemBus", at: "Sources/keychain-migrate/A.swift", 1),
    Example(.protectedLoadNothing, "import SecureElementTPM", at: "Sources/keychainctl/A.swift", 1),
    Example(.protectedLoadNothing, "posix_spawn(a)", at: "Sources/ProgramStart/A.swift"),
    Example(.protectedLoadNothing, "dlopen(a)", at: "Sources/SecureElementTPM/A.swift"),
    Example(.protectedLoadNothing, "import SystemBus", at: "Sources/keychain-bus/A.swift"),
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
    Example(.taskLocalsAreNoClosures, "@TaskLocal static var a: (@Sendable (Int) -> Void)?", 1),
    Example(.taskLocalsAreNoClosures, "\n@TaskLocal\nstatic var a: (B, @Sendable () -> C)?", 2),
    Example(.taskLocalsAreNoClosures, "@TaskLocal static var a = { @Sendable in b() }", 1),
    Example(.taskLocalsAreNoClosures, "@TaskLocal static var a:\n    (B) ->\n    C = d", 1),
    Example(.taskLocalsAreNoClosures, "let a = TaskLocal<@Sendable () -> B>(wrappedValue: c)", 1),
    Example(
        .taskLocalsAreNoClosures,
        "typealias A = @Sendable () -> Void\n@TaskLocal static var b: A?",
        2
    ),
    Example(
        .taskLocalsAreNoClosures,
        "struct A { let b: @Sendable () -> Void }\n@TaskLocal static var c: A?\nlet d = { 1 }"
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
    Example(.programsStartInOnePlace, "let a = Process()\nposix_spawn(&b)\nexecv(c, d)", 1, 2, 3),
    Example(
        .programsStartInOnePlace,
        "func fork() {}\na.fork()\nlet b: Process? = nil; case system(c)"
    ),
    Example(.programsStartInOnePlace, "// a\nGlibc.system(b)", at: tests, 2),
    Example(.programsStartInOnePlace, "int a = '\"';\nfork();", at: "Sources/A/a.c", 2),
    Example(.programsStartInOnePlace, "posix_spawn(&a)", at: "Sources/ProgramStart/A.swift"),
    Example(.descriptorsCloseOnExec, "pipe(&a)\ndup(b)\nmkstemp(&c)\nfopen(d, \"r\")", 1, 2, 3, 4),
    Example(.descriptorsCloseOnExec, "fopen(d, \"re\")\nfcntl(a, F_DUPFD_CLOEXEC, 3)"),
    Example(.descriptorsCloseOnExec, "fcntl(a, F_DUPFD, 3)", at: tests, 1),
    Example(.descriptorsCloseOnExec, "open(a, O_RDONLY)\nGlibc.openat(a, b, O_RDWR)", 1, 2),
    Example(.descriptorsCloseOnExec, "open(a, O_RDONLY | O_CLOEXEC)\ntry open(item)\nb.open(c)"),
    Example(.descriptorsCloseOnExec, "let flags = O_RDWR | O_CLOEXEC\nopen(a, flags)"),
    Example(.descriptorsCloseOnExec, "let flags = O_RDWR\nopen(a, flags)", 2),
    Example(.descriptorsCloseOnExec, "socket(AF_UNIX, a, 0)\nsocket(b)", 1),
    Example(
        .descriptorsCloseOnExec,
        "accept(a, b, c);\nopen(\"/a\", O_RDWR);",
        at: "Sources/A/a.c",
        1,
        2
    ),
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
    Example(.testsNameAttributes, "let a = [\"acct\": 1,\n\"class\": 2]", at: query, 1, 2),
    Example(.testsNameAttributes, "// \"acct\"\nlet a = [\"account\": 1]", at: query),
    Example(.testsNameAttributes, "let a = \"acct\"\nlet b = \"type\"", at: tests, 1),
    Example(.rowsHaveLabels, "let a = [\nRow(.b, false, true),\n(1, 2, nil)]", at: tests, 2, 3),
    Example(.rowsHaveLabels, "let a = [(1, nil), (1, -2, 3)]\nf(a, nil, nil)", at: tests),
    Example(.rowsHaveLabels, "let a = [true, false, true]", at: tests, 1),
    Example(.rowsHaveLabels, "f(isOpen: true, isGone: false)\nlet a = [true, false]", at: tests),
    Example(.citedIdsExist, "// QRY-03\n// QRY-" + "99, UTF-16, SHA-256", 2),
    Example(.citedIdsExist, "// the " + "R2 rows\n/" + "/ C-" + "06\n/" + "/ KC" + "999", 1, 2, 3),
    Example(.citedIdsExist, "// contradiction `missing-operator`\n// finding `no-such`", 2),
    Example(.citedIdsExist, "let a = \"QRY-" + "99\""),
    Example(.citedIdsExist, "QRY-" + "99", at: "Documentation/A.md", 1),
    Example(.readersSeeNoIds, "let a = \"QRY-03\"", 1),
    Example(.readersSeeNoIds, "let a = \"QRY-03\"", at: tests),
    Example(.readersSeeNoIds, "/// QRY-03\npublic struct A {\n/// QRY-03\nlet a = 1\n}", 1),
    Example(.readersSeeNoIds, "public enum A {\n/// QRY-03\n@B(1) case a\n}", 2),
    Example(.readersSeeNoIds, "enum A {\n/// QRY-03\ncase a\n// QRY-03\npublic let b = 1\n}"),
    Example(.readersSeeNoIds, "QRY-03", at: "README.md", 1),
    Example(.readersSeeNoIds, "QRY-03", at: "Documentation/Conformance.md"),
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

    @Test(.requirement("PKG-09"), arguments: TidyRule.all)
    func `every file keeps the rule`(rule: TidyRule) {
        let files = rule.readsEveryText ? Checkout.texts : Checkout.swiftFiles
        let findings = files.flatMap(rule.findings)
        report(findings)
    }

    @Test func `no loop is added to tests`() {
        let count = TestLoops.count(in: Checkout.swiftFiles)
        #expect(count > 0)
        #expect(count <= TestLoops.limit, "write the cases as arguments: @Test(arguments:)")
    }

    @Test func `the checkout was found`() {
        #expect(Checkout.swiftFiles.contains { $0.path == "Tests/TidyTests/TidyRuleTests.swift" })
        #expect(Checkout.texts.contains { $0.path == "Documentation/Conformance/areas.tsv" })
    }
}

@Suite struct `The conformance ledger` {
    @Test func `is in step with the tests`() throws {
        let problems = try Checkout.ledger.get().check()
        report(problems)
    }

    @Test(.requirement("DOC-05"))
    func `has a contradiction for every switch of the behavior`() throws {
        let rows = try Checkout.ledger.get().contradictions.rows
        let switches = Mirror(reflecting: BehaviorProfile.documented).children.compactMap(\.label)
        #expect(rows.map(\.choice).filter { !$0.isEmpty }.sorted() == switches.sorted())
    }

    @Test(.requirement("DOC-05", "PKG-09"))
    func `has a contradiction for every finding that names two behaviors`() throws {
        let ids = try Checkout.ledger.get().contradictions.ids
        let rules = DiagnosticRule.allCases.filter { $0.outcomes?.contains("appleSource") == true }
        #expect(rules.count > 5)
        #expect(rules.allSatisfy { ids.contains($0.rawValue) })
    }
}
