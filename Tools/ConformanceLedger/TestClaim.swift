/// A test, or a whole suite, that says which requirements it proves.
struct TestClaim: Equatable, Sendable {
    /// The file, relative to the folder of the tests, such as `ConformanceTests/Adding.swift`.
    let file: String
    /// The line of the `func` or of the suite's type.
    let line: Int
    /// The suites around the test, outermost first; for a suite's claim the suite itself is last.
    let suites: [String]
    /// The test function's name, or nil when the claim is the whole suite's.
    let test: String?
    /// The ids of requirements and contradictions as written.
    let ids: [String]

    /// A claim as it stands in a file.
    init(file: String, line: Int, suites: [String], test: String?, ids: [String]) {
        self.file = file
        self.line = line
        self.suites = suites
        self.test = test
        self.ids = ids
    }

    /// The module the file belongs to: the first folder of its path.
    var module: String { String(file.prefix { $0 != "/" }) }

    /// The class name under which the results file lists the claim's tests.
    var className: String { ([module] + suites).joined(separator: ".") }

    /// The claim as a reader finds it: suites, then test.
    var sentence: String {
        (suites + [test ?? "every test"]).joined(separator: " › ")
    }

    /// The claim as a page shows it.
    var markdown: String { "`\(file)`: \(MarkdownTable.cell(sentence))" }
}

extension [TestClaim] {
    /// The claims of each id.
    var byId: [String: [TestClaim]] {
        var claims: [String: [TestClaim]] = [:]
        for claim in self {
            for id in Set(claim.ids) { claims[id, default: []].append(claim) }
        }
        return claims
    }
}
