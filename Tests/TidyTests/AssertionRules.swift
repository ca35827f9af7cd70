@testable import conformance_ledger

extension TidyRule {
    /// A test that checks nothing cannot fail.
    static let testsCheckSomething = TidyRule("every test checks something") { file in
        guard file.isBelow("Tests") else { return [] }
        let functions = TestedFunction.all(in: file)
        let checking = CheckingNames.closure(of: functions, from: CheckingNames.known(to: file))
        return functions.filter { $0.isTest && !$0.checks(by: checking) }.map {
            file.finding($0.line, "`\($0.name)` has no #expect and no #require, nor calls who has")
        }
    }
}

/// A function with the words of its body.
struct TestedFunction {
    let name: String
    let line: Int
    /// Whether `@Test` stands in front of it.
    let isTest: Bool
    let words: Set<String>
    let loopCount: Int

    private static let checks: Set<String> = ["expect", "require", "confirmation", "record"]

    /// Whether it checks something itself, or calls a function that does.
    func checks(by names: Set<String>) -> Bool {
        !words.isDisjoint(with: Self.checks) || !words.isDisjoint(with: names)
    }

    static func all(in file: SourceFile) -> [TestedFunction] {
        let code = file.code
        var found: [TestedFunction] = []
        var isTest = false
        for index in code.indices.dropLast() {
            if code[index].isCode("@"), code[index + 1].isCode("Test") { isTest = true }
            guard code[index].isCode("func"), code[index + 1].isName else { continue }
            let body = body(after: index + 2, in: code)
            let words = body.filter { $0.kind == .identifier }.map(\.text)
            let name = code[index + 1]
            found.append(
                TestedFunction(
                    name: name.text,
                    line: name.line,
                    isTest: isTest,
                    words: Set(words),
                    loopCount: zip(body, body.dropFirst()).count { isLoop($0, $1) }
                )
            )
            isTest = false
        }
        return found
    }

    /// The word `for`, unless it is a label.
    private static func isLoop(_ word: SwiftToken, _ next: SwiftToken) -> Bool {
        word.isCode("for") && !next.isCode(":")
    }

    /// The tokens from the brace that opens the body to the one that closes it.
    private static func body(after start: Int, in code: [SwiftToken]) -> ArraySlice<SwiftToken> {
        var parentheses = 0
        var braces = 0
        var first: Int?
        for index in code[start...].indices {
            let token = code[index]
            if token.isCode("(") { parentheses += 1 }
            if token.isCode(")") { parentheses -= 1 }
            if token.isCode("{"), parentheses == 0 || first != nil {
                first = first ?? index
                braces += 1
            }
            if token.isCode("}"), let first {
                braces -= 1
                if braces == 0 { return code[first...index] }
            }
            // A requirement of a protocol has no body.
            if first == nil, parentheses == 0, token.isCode("func") || token.isCode("}") { break }
        }
        return []
    }
}

/// The names of functions that check something, target by target.
private enum CheckingNames {
    private static let support: Set<String> = [
        "TestSupport", "ModelTestSupport", "EngineTestSupport", "MigrationTestSupport",
    ]

    private static let byTarget: [String: Set<String>] = {
        let files = Checkout.swiftFiles.filter { $0.isBelow("Tests") }
        let targets = Dictionary(grouping: files, by: target(of:))
        let functions = targets.mapValues { $0.flatMap(TestedFunction.all) }
        let shared = support.flatMap { functions[$0] ?? [] }
        return functions.mapValues { closure(of: $0 + shared, from: []) }
    }()

    static func known(to file: SourceFile) -> Set<String> { byTarget[target(of: file)] ?? [] }

    private static func target(of file: SourceFile) -> String {
        String(file.path.split(separator: "/").dropFirst().first ?? "")
    }

    /// Adds the functions that check something, and those that call one, until none is left.
    static func closure(of functions: [TestedFunction], from known: Set<String>) -> Set<String> {
        var names = known
        var open = functions
        while true {
            let checking = open.filter { $0.checks(by: names) }
            guard !checking.isEmpty else { return names }
            names.formUnion(checking.map(\.name))
            open.removeAll { names.contains($0.name) }
        }
    }
}
