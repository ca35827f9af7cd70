/// A test, or a whole suite, that says which requirements it proves.
struct TestClaim: Equatable, Sendable {
    /// Where the tests of the checkout are: those of the package, and those of the linter, which
    /// is a package of its own.
    static let folders = ["Tests", "Tools/KeychainLint/Tests"]

    /// The folder of the tests, one of `folders`.
    let folder: String
    /// The file, relative to that folder, such as `ConformanceTests/Adding.swift`.
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
    init(
        folder: String = "Tests",
        file: String,
        line: Int,
        suites: [String],
        test: String?,
        ids: [String]
    ) {
        self.folder = folder
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

    /// The claim as a page shows it; `Tests` goes without saying.
    var markdown: String {
        let shown = folder == "Tests" ? file : "\(folder)/\(file)"
        return "`\(shown)`: \(MarkdownTable.cell(sentence))"
    }

    /// The file and the line, below the root of the checkout.
    var place: String { "\(folder)/\(file):\(line)" }
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
