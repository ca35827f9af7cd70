/// The records of a table file: one line with the column names, then one line each.
struct TabSeparatedText {
    /// A line with its place for messages.
    struct Record {
        let place: String
        let fields: [String]
    }

    let records: [Record]

    /// Reads the text of a table.
    ///
    /// - Parameters:
    ///   - text: The whole file.
    ///   - header: The expected first line.
    ///   - file: The name for messages.
    /// - Throws: `LedgerProblem` for another first line or a wrong number of columns.
    init(_ text: String, header: String, file: String) throws(LedgerProblem) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let first = lines.first, first == header else {
            throw LedgerProblem("\(file):1", "the first line must name the columns")
        }
        let columns = header.split(separator: "\t").count
        var records: [Record] = []
        for (number, line) in lines.enumerated().dropFirst() where !line.isEmpty {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            let place = "\(file):\(number + 1)"
            guard fields.count == columns else {
                throw LedgerProblem(place, "\(fields.count) columns instead of \(columns)")
            }
            records.append(Record(place: place, fields: fields.map(String.init)))
        }
        self.records = records
    }
}
