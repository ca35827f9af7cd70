import Foundation
import LintAnalysis
import LintModel
import Synchronization
import Testing

/// Code that takes a naive reader very long, or more levels than its stack has.
private struct Attack: Sendable, CustomStringConvertible {
    let description: String
    let code: String

    init(_ description: String, _ code: String) {
        self.description = description
        self.code = code
    }

    /// Returns statements that each use the variable of the previous one twice.
    private static func chain(_ count: Int, _ expression: (String) -> String) -> String {
        (1...count).map { "let d\($0) = \(expression("d\($0 - 1)"))\n" }.joined()
    }

    private static func times(_ count: Int, _ code: (Int) -> String) -> String {
        (0..<count).map(code).joined()
    }

    /// Attacks with files that the linter reads.
    static let large: [Attack] = [
        .init(
            "sums of constants",
            "let d0 = 1\n\(chain(40) { "\($0) + \($0)" })func f() { g(d40) }"
        ),
        .init(
            "dictionaries of constants",
            "let d0 = [\"a\": 1]\n" + chain(40) { "[\"a\": \($0), \"b\": \($0)]" }
                + "func f() { g(d40) }"
        ),
        .init(
            "lists of variables",
            "func f() {\nlet d0 = [1]\n" + chain(40) { "[\($0), \($0)]" } + "g(d40)\n}"
        ),
        .init(
            "flags that double",
            "let d0: F = .userPresence | .or\n" + chain(40) { "\($0) | \($0)" }
                + "func f() { g(d40) }"
        ),
        .init(
            "values that swap",
            "func f(s: Bool) {\nvar x = \"a\"\nvar y = \"b\"\n"
                + times(80) { "if s { x = y }\nif s { y = x }\nif s { x = \"\($0)\" }\n" }
                + "g(x)\n}"
        ),
        .init("a chain of calls", "func f() { a" + times(900) { _ in ".b()" } + " }"),
        .init("a sum of 900", "let x = 1" + times(900) { "+\($0)" }),
        .init(
            "900 branches",
            "func f(a: Int) {\nif a == 0 { }" + times(900) { " else if a == \($0) { g() }\n" } + "}"
        ),
    ]

    /// Attacks with files that the linter leaves out.
    static let deep: [Attack] = [
        .init("brackets", "let x = " + times(250) { _ in "[" } + times(250) { _ in "]" }),
        .init("lists that may be types", "let x = " + times(18) { _ in "[" } + "1"),
        .init("a sum", "let x = 1" + times(4_000) { _ in "\n    + 1" }),
        .init("calls in a chain", "let x = a" + times(4_000) { _ in "\n    .b()" }),
        .init("calls of results", "let x = a" + times(4_000) { _ in "()" }),
        .init(
            "branches",
            "func f(a: Int) {\nif a == 0 { }" + times(5_000) { " else if a == \($0) { }\n" } + "}"
        ),
        .init("words before a call", "func f() { " + times(20_000) { _ in "try\n" } + "g() }"),
        .init("choices", "let x = " + times(5_000) { _ in "true ? 1 : " } + "2"),
        .init("types in types", "let x: " + times(5_000) { _ in "A<" }),
        .init("types in lists of spaced types", "let x: " + times(1_000) { _ in "A < B,\n" }),
        .init(
            "types in lists of types of functions",
            "let x: " + times(5_000) { _ in "A<B, () -> " }
        ),
        .init("types in lists of types", "let x: " + times(5_000) { _ in "A<B,\n" }),
        .init("conditions", times(20_000) { _ in "#if A\n" }),
        .init("texts in texts", "let x = " + times(300) { _ in "\"\\(" }),
        .init("marks behind a value", "let x = a" + times(9_000) { _ in "!" }),
        .init("marks before a value", "let x = " + times(9_000) { _ in "- " } + "1"),
    ]

    /// Code with many declarations of each kind, without nesting.
    static let flat: [Attack] = [
        .init(
            "properties",
            "struct S {\n" + times(2_000) { "    var a\($0): [Int: A<B>]?\n" } + "}"
        ),
        .init("elements", "let x = [" + times(300) { "a < \($0) ? -1 : +1,\n" } + "]"),
        .init("statements", times(2_000) { "a.b(\($0)).c { $0 }\n" }),
        .init("cases", "switch a {\n" + times(2_000) { "case .b\($0):\n    c()\n" } + "}"),
        .init(
            "texts",
            times(2_000) { _ in "a(#\"(\"[{\"#, \"([{\", \"\"\"\n    \"([{\n\"\"\")\n" }
        ),
        .init("comments", times(2_000) { _ in "// ([{ \"\n/* ([{ /* \" */ ([{ */\n" }),
        .init("patterns", times(500) { "func f\($0)() {\n    a(/[(]\"/)\n}\n" }),
    ]

    /// Returns the lines of a run about it.
    func notes() -> [String] {
        let inputs = ProjectFiles(sources: [SourceText(path: "A.swift", text: code)])
        return Project(inputs, complain: { _ in }).notes
    }
}

@Suite struct `Code against the linter` {
    @Test(arguments: Attack.large)
    fileprivate func `that doubles its work is read in a short time`(_ attack: Attack) {
        let clock = ContinuousClock()
        let start = clock.now
        #expect(Lint.rules(attack.code).isEmpty)
        #expect(clock.now - start < .seconds(20))
    }

    @Test(arguments: Attack.deep)
    fileprivate func `that nests without end is left out, in one line`(_ attack: Attack) {
        #expect(
            attack.notes() == [
                "A.swift is not read: its code nests too deep", "1 file is not checked",
            ]
        )
    }

    @Test(arguments: Attack.flat)
    fileprivate func `that is only long is read`(_ attack: Attack) {
        #expect(attack.notes() == [])
    }

    @Test func `does not keep the command from the other files`() throws {
        let bad = """
            func add(_ query: CFDictionary) {
                SecItemAdd(query, nil)
            }
            """
        let command = try Command([
            "Deep.swift": "let x = 1" + String(repeating: "+1", count: 4_000),
            "Large.swift": String(repeating: "// a comment\n", count: 400_000),
            "Bad.swift": bad,
        ])
        let run = try command.run(".")
        #expect(run.status == 1)
        #expect(run.output.contains("Bad.swift:2:5: error: "))
        #expect(run.output.contains("1 file: 1 error"))
        #expect(
            run.problems == """
                keychain-lint: Large.swift is not read: it is larger than 4 MiB
                keychain-lint: Deep.swift is not read: its code nests too deep
                keychain-lint: 2 files are not checked

                """
        )
    }

    @Test(arguments: [["."], ["--format", "sarif", "."]])
    func `is no success, unless it is left out on purpose`(arguments: [String]) throws {
        let command = try Command([
            "Deep.swift": "let x = 1" + String(repeating: "+1", count: 4_000),
            "Good.swift": "let x = 1",
        ])
        #expect(try command.run(arguments).status == 1)
        try command.put(#"{ "exclude": ["Deep"] }"#, at: ".keychain-lint.json")
        #expect(try command.run(arguments).status == 0)
    }

    @Test func `with too much to follow is named, and its values are unknown`() {
        let steps = String(repeating: "        x = [x, x].count + h(x)\n", count: 20_000)
        let code = """
            struct Vault {
                func remove(x: Int) -> OSStatus {
                    var query: [String: Any] = [kSecClass as String: kSecClassGenericPassword]
            \(steps)
                    return SecItemDelete(query as CFDictionary)
                }
                func removeAll() -> OSStatus {
                    SecItemDelete([kSecClass: kSecClassGenericPassword] as CFDictionary)
                }
            }
            """
        let inputs = ProjectFiles(sources: [SourceText(path: "A.swift", text: code)])
        let lines = Mutex<[String]>([])
        _ = Project(inputs, complain: { line in lines.withLock { $0.append(line) } })
        let message =
            "A.swift:2: \"remove\" has too much to follow; values there are unknown,"
            + " and rules are silent"
        #expect(lines.withLock { $0 } == [message])
    }
}

@Suite struct `Joined paths` {
    @Test func `of eighty branches keep what the dictionary surely has`() {
        let branches = (0..<80).map { "    if name == \"\($0)\" { query[\"k\($0)\"] = \($0) }\n" }
        let rules = Lint.rules(
            """
            func add(name: String) throws {
                var query: [String: Any] = [
                    kSecClass as String: kSecClassGenericPassword,
                    kSecAttrService as String: "s", kSecAttrAccount as String: name,
                    kSecAttrAccessible as String: kSecAttrAccessibleAlways,
                ]
            \(branches.joined())
                let status = SecItemAdd(query as CFDictionary, nil)
                if status == errSecDuplicateItem { throw Failure.exists }
                guard status == errSecSuccess else { throw Failure.status(status) }
            }
            """
        )
        #expect(rules.contains("KC202"))
    }
}

/// A call whose status is lost.
private struct Spelling: Sendable, CustomStringConvertible {
    let description: String
    let code: String
    var isLost = true

    static let all: [Spelling] = [
        .init(description: "backticks", code: "`SecItemAdd`(query, nil)"),
        .init(description: "parentheses", code: "(SecItemAdd)(query, nil)"),
        .init(description: "module and backticks", code: "Security.`SecItemAdd`(query, nil)"),
        .init(
            description: "a variable that is dropped",
            code: "let status = SecItemAdd(query, nil)\n    _ = status"
        ),
        .init(
            description: "a variable that is returned",
            code: "let status = SecItemAdd(query, nil)\n    _ = status\n    return status",
            isLost: false
        ),
        .init(
            description: "a variable that is part of what is dropped",
            code: "let status = SecItemAdd(query, nil)\n    _ = check(status)",
            isLost: false
        ),
    ]
}

@Suite struct `A status that nobody reads` {
    @Test(arguments: Spelling.all)
    fileprivate func `is found however the call is spelled`(_ spelling: Spelling) {
        let rules = Lint.rules(
            "func add(_ query: CFDictionary) -> Int32 {\n    use()\n    \(spelling.code)\n}"
        )
        #expect(rules.contains("KC501") == spelling.isLost)
    }
}
