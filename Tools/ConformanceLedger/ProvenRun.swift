/// The run of the tests on which the pages are based, and the rows that it proved.
///
/// `run.tsv` stores it, so that a page can be checked without a run of the tests.
struct ProvenRun: Equatable, Sendable {
    static let path = "Documentation/Conformance/run.tsv"
    static let header = "row\tcases"
    /// The first column of the line that describes the run.
    private static let runName = "run"

    /// The description of the run: commit, day, machine.
    var description: String
    /// The number of test cases that proved each row.
    var caseCounts: [String: Int]

    static let none = ProvenRun(description: "no run", caseCounts: [:])

    init(description: String, caseCounts: [String: Int]) {
        self.description = description
        self.caseCounts = caseCounts
    }

    /// Reads the file.
    ///
    /// - Throws: `LedgerProblem` for a row without a number.
    init(_ text: String) throws(LedgerProblem) {
        self = .none
        let table = try TabSeparatedText(text, header: Self.header, file: Self.path)
        for record in table.records {
            guard record.fields[0] != Self.runName else {
                description = record.fields[1]
                continue
            }
            guard let count = Int(record.fields[1]), count > 0 else {
                throw LedgerProblem(record.place, "\(record.fields[0]) has no number of cases")
            }
            caseCounts[record.fields[0]] = count
        }
    }

    /// The text of the file, with the rows in alphabetical order.
    var text: String {
        let rows = caseCounts.sorted { $0.key < $1.key }.map { "\($0.key)\t\($0.value)" }
        return ([Self.header, "\(Self.runName)\t\(description)"] + rows).joined(separator: "\n")
            + "\n"
    }
}
