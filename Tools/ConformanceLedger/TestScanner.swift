/// Finds the claims in a test source: `.requirement("ID", …)` and `.contradiction("id", …)` inside
/// `@Test(…)` or `@Suite(…)`.
struct TestScanner {
    private let file: String
    private let folder: String
    private let tokens: [SwiftToken]
    private var index = 0
    private var claims: [TestClaim] = []
    private var problems: [LedgerProblem] = []
    /// One entry for each open brace: the type whose declaration it opened, if any.
    private var scopes: [[String]] = []
    private var pendingType: [String] = []
    private var pendingTest: [String]?
    private var pendingSuite: [String]?

    private init(file: String, folder: String, source: String) {
        self.file = file
        self.folder = folder
        tokens = SwiftLexer.tokens(of: source).filter { $0.kind != .comment }
    }

    /// Reads one source file.
    ///
    /// - Parameters:
    ///   - source: The text of the file.
    ///   - file: Its path below the folder of the tests.
    ///   - folder: The folder of the tests.
    /// - Returns: The claims in order, and the problems in the way that ids are written.
    static func scan(
        _ source: String,
        file: String,
        folder: String = "Tests"
    ) -> (claims: [TestClaim], problems: [LedgerProblem]) {
        var scanner = TestScanner(file: file, folder: folder, source: source)
        while scanner.index < scanner.tokens.count { scanner.step() }
        return (scanner.claims, scanner.problems)
    }

    private func token(_ offset: Int) -> SwiftToken? {
        tokens.indices.contains(index + offset) ? tokens[index + offset] : nil
    }

    private mutating func step() {
        let current = tokens[index]
        if current.isCode("@") {
            attribute()
        } else if current.isCode("{") {
            scopes.append(pendingType)
            pendingType = []
            index += 1
        } else if current.isCode("}") {
            _ = scopes.popLast()
            index += 1
        } else if current.isCode("func") {
            function()
        } else if Self.typeWords.contains(current.text), current.kind == .identifier {
            type()
        } else {
            refuseStray()
            index += 1
        }
    }

    private static let typeWords: Set<String> = ["struct", "class", "enum", "actor", "extension"]

    private mutating func type() {
        let line = tokens[index].line
        let isMember = token(-1)?.isCode(".") ?? false
        guard !isMember, let first = token(1), first.isName, !first.isCode("func"),
            !first.isCode("var"), !first.isCode("let")
        else {
            index += 1
            return
        }
        var names = [first.text]
        index += 2
        while token(0)?.isCode(".") == true, let name = token(1), name.isName {
            names.append(name.text)
            index += 2
        }
        pendingType = names
        guard let ids = pendingSuite, !ids.isEmpty else { return }
        pendingSuite = nil
        let suites = scopes.flatMap(\.self) + names
        claims.append(claim(line: line, suites: suites, test: nil, ids: ids))
    }

    private mutating func function() {
        let line = tokens[index].line
        let name = token(1)
        index += 1
        guard let ids = pendingTest else { return }
        pendingTest = nil
        guard let name, name.isName, !ids.isEmpty else { return }
        let suites = scopes.flatMap(\.self)
        claims.append(claim(line: line, suites: suites, test: name.text, ids: ids))
    }

    private func claim(
        line: Int,
        suites: [String],
        test: String?,
        ids: [String]
    ) -> TestClaim {
        TestClaim(folder: folder, file: file, line: line, suites: suites, test: test, ids: ids)
    }
}

// MARK: - Attributes

extension TestScanner {
    private mutating func attribute() {
        let name = token(1)?.text
        index += 2
        guard token(0)?.isCode("(") == true else {
            note(ids: [], for: name)
            return
        }
        let arguments = balanced()
        guard name == "Test" || name == "Suite" else { return }
        note(ids: ids(in: arguments), for: name)
    }

    private mutating func note(ids: [String], for name: String?) {
        if name == "Test" { pendingTest = ids }
        if name == "Suite" { pendingSuite = ids }
    }

    /// Consumes the tokens from an opening parenthesis to the matching closing one.
    private mutating func balanced() -> ArraySlice<SwiftToken> {
        let start = index
        var depth = 0
        repeat {
            guard let current = token(0) else { break }
            if current.isCode("(") { depth += 1 }
            if current.isCode(")") { depth -= 1 }
            index += 1
        } while depth > 0
        return tokens[start..<index]
    }

    private mutating func ids(in arguments: ArraySlice<SwiftToken>) -> [String] {
        var found: [String] = []
        var position = arguments.startIndex
        while position < arguments.endIndex {
            if isTrait(at: position) {
                position += 3
                let list = arguments[position...].prefix { !$0.isCode(")") }
                found += literals(in: list)
                position = list.endIndex
            } else {
                position += 1
            }
        }
        return found
    }

    /// Whether `.requirement(` or `.contradiction(` starts at the position.
    private func isTrait(at position: Int) -> Bool {
        guard position + 3 < tokens.endIndex else { return false }
        let name = tokens[position + 1]
        // A contradiction without arguments is another method with that name.
        let isContradiction = name.isCode("contradiction") && !tokens[position + 3].isCode(")")
        return tokens[position].isCode(".") && tokens[position + 2].isCode("(")
            && (name.isCode("requirement") || isContradiction)
    }

    private mutating func literals(in list: ArraySlice<SwiftToken>) -> [String] {
        let place = "\(file):\(list.first?.line ?? 1)"
        let values = list.filter { !$0.isCode(",") }
        guard !values.isEmpty, values.allSatisfy({ $0.kind == .string }) else {
            problems.append(LedgerProblem(place, "ids must be plain string literals"))
            return []
        }
        return values.map(\.text)
    }

    private mutating func refuseStray() {
        guard isTrait(at: index) else { return }
        problems.append(
            LedgerProblem(
                "\(file):\(tokens[index].line)",
                "`.\(tokens[index + 1].text)` proves nothing outside @Test(…) or @Suite(…)"
            )
        )
    }
}
