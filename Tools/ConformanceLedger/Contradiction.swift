/// A question with different answers in the documents and Apple's source, or in two documents.
struct Contradiction: Equatable, Sendable {
    /// Words with hyphens, such as `missing-operator`.
    let id: String
    /// The question.
    let topic: String
    /// The answers of the documents.
    let documents: String
    /// The behavior of Apple's published source.
    let appleSource: String
    /// The answer of a simulated device without a chosen behavior.
    let simulatedDevice: String
    /// The answer of this machine's keychain.
    let thisMachine: String
    /// The reason for both.
    let reason: String
    /// The field of `BehaviorProfile` that chooses another answer; empty if there is none.
    let choice: String
    /// The rows of the ledger that the question concerns.
    let requirements: [String]
}

/// The rows of `contradictions.tsv`, in the order of the file.
struct ContradictionTable: Equatable, Sendable {
    /// The rows.
    let rows: [Contradiction]

    /// The file below the repository's root.
    static let path = "Documentation/Conformance/contradictions.tsv"
    /// The first line of the file.
    static let header = [
        "id", "topic", "documents", "apple source", "simulated device", "this machine", "why",
        "switch", "requirements",
    ].joined(separator: "\t")

    /// The ids.
    var ids: Set<String> { Set(rows.map(\.id)) }

    /// Reads the text of the file.
    ///
    /// - Throws: `LedgerProblem` with the line, for a wrong header or number of columns, an id that
    ///   is malformed or repeated, and a missing answer.
    init(_ text: String) throws(LedgerProblem) {
        let file = "contradictions.tsv"
        var rows: [Contradiction] = []
        for record in try TabSeparatedText(text, header: Self.header, file: file).records {
            let row = try Self.contradiction(record)
            guard !rows.contains(where: { $0.id == row.id }) else {
                throw LedgerProblem(record.place, "\(row.id) comes twice")
            }
            rows.append(row)
        }
        self.rows = rows
    }

    private static func contradiction(
        _ record: TabSeparatedText.Record
    ) throws(LedgerProblem) -> Contradiction {
        let fields = record.fields
        let isWords = fields[0].allSatisfy { $0.isLowercase || $0 == "-" }
        guard isWords, fields[0].contains("-") else {
            throw LedgerProblem(record.place, "\"\(fields[0])\" is not words with hyphens")
        }
        guard fields[1...6].allSatisfy({ !$0.isEmpty }) else {
            throw LedgerProblem(record.place, "\(fields[0]) needs every answer and a reason")
        }
        return Contradiction(
            id: fields[0],
            topic: fields[1],
            documents: fields[2],
            appleSource: fields[3],
            simulatedDevice: fields[4],
            thisMachine: fields[5],
            reason: fields[6],
            choice: fields[7],
            requirements: fields[8].split(separator: " ").map(String.init)
        )
    }
}
