/// A document that the ledger cites.
struct SourceDocument: Equatable, Sendable {
    /// The name of the document in the ledger.
    let name: String
    /// The document's own title.
    let title: String
    /// The author of the document.
    let author: String
    /// The place of publication.
    let place: String
}

/// The rows of `sources.tsv`, in the order of the file.
struct SourceTable: Equatable, Sendable {
    /// The rows.
    let rows: [SourceDocument]

    /// The file below the repository's root.
    static let path = "Documentation/Conformance/sources.tsv"
    /// The first line of the file.
    static let header = "name\ttitle\tauthor\twhere"

    /// Reads the text of the file.
    ///
    /// - Throws: `LedgerProblem` with the line, for a wrong header and an empty field.
    init(_ text: String) throws(LedgerProblem) {
        var rows: [SourceDocument] = []
        for record in try TabSeparatedText(text, header: Self.header, file: "sources.tsv").records {
            let fields = record.fields
            guard fields.allSatisfy({ !$0.isEmpty }) else {
                throw LedgerProblem(record.place, "a document needs a title, an author, a place")
            }
            rows.append(
                SourceDocument(
                    name: fields[0],
                    title: fields[1],
                    author: fields[2],
                    place: fields[3]
                )
            )
        }
        self.rows = rows
    }

    /// Returns the parts of a citation that name no document of the table.
    ///
    /// - Parameter citation: Documents with semicolons between, each with sections after a comma.
    /// - Returns: Those parts, in order.
    func unknown(in citation: String) -> [String] {
        citation.split(separator: ";").map { $0.drop { $0 == " " } }
            .filter { part in !rows.contains { part.hasPrefix($0.name) } }
            .map(String.init)
    }
}
