/// A test, or a whole suite, that names the requirements which it proves.
struct TestClaim: Equatable, Sendable {
    /// The folders with the tests of the checkout: those of the package, and those of the linter,
    /// which is a separate package.
    static let folders = ["Tests", "Tools/KeychainLint/Tests"]

    /// The folder of the tests, one of `folders`.
    let folder: String
    /// The file, relative to that folder, such as `ConformanceTests/Adding.swift`.
    let file: String
    /// The line of the `func` or of the suite's type.
    let line: Int
    /// The suites around the test, outermost first; if a suite makes the claim, it is the last one.
    let suites: [String]
    /// The name of the test function; nil if the whole suite makes the claim.
    let test: String?
    /// The ids of requirements and contradictions, as the test spells them.
    let ids: [String]

    /// Makes a claim from its place in a file.
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

    /// The module of the file, which is the first folder of its path.
    var module: String { String(file.prefix { $0 != "/" }) }

    /// The class name under which the results file lists the claim's tests.
    var className: String { ([module] + suites).joined(separator: ".") }

    /// The claim in words: the suites, then the test.
    var sentence: String {
        (suites + [test ?? "every test"]).joined(separator: " › ")
    }

    /// The claim in Markdown; the folder `Tests` is left out.
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
