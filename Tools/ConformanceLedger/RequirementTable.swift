/// The rows of `requirements.tsv` and the subjects of `areas.tsv`, in the order of the files.
struct RequirementTable: Equatable, Sendable {
    /// A group of rows with one subject.
    struct Area: Equatable, Sendable {
        /// Three letters, such as `QRY`.
        let code: String
        /// The subject of the area's rows.
        let subject: String
    }

    /// The areas, in order.
    let areas: [Area]
    /// The rows, in order.
    let rows: [Requirement]

    /// The first line of the file of rows.
    static let rowHeader = "id\torigin\tstatement\tsource\tdocumented\tapple source\tcheck"
    /// The first line of the file of areas.
    static let areaHeader = "area\tsubject"

    /// Reads the text of both files.
    ///
    /// - Throws: `LedgerProblem` with the line, for a wrong header, a wrong number of columns, an
    ///   unknown origin or area, an empty statement, source or check, or a repeated id.
    init(areas areaText: String, rows rowText: String) throws(LedgerProblem) {
        areas = try Self.readAreas(areaText)
        rows = try Self.readRows(rowText, areas: Set(areas.map(\.code)))
    }

    private static func readAreas(_ text: String) throws(LedgerProblem) -> [Area] {
        var areas: [Area] = []
        for line in try TabSeparatedText(text, header: areaHeader, file: "areas.tsv").records {
            areas.append(Area(code: line.fields[0], subject: line.fields[1]))
        }
        return areas
    }

    private static func readRows(
        _ text: String,
        areas: Set<String>
    ) throws(LedgerProblem) -> [Requirement] {
        var rows: [Requirement] = []
        var seen: Set<String> = []
        let file = "requirements.tsv"
        for record in try TabSeparatedText(text, header: rowHeader, file: file).records {
            let row = try requirement(record)
            guard areas.contains(row.area) else {
                throw LedgerProblem(record.place, "\(row.id) belongs to no area of areas.tsv")
            }
            guard seen.insert(row.id).inserted else {
                throw LedgerProblem(record.place, "\(row.id) comes twice")
            }
            rows.append(row)
        }
        return rows
    }

    private static func requirement(
        _ record: TabSeparatedText.Record
    ) throws(LedgerProblem) -> Requirement {
        let fields = record.fields
        guard let origin = Requirement.Origin(rawValue: fields[1]) else {
            throw LedgerProblem(record.place, "unknown origin \"\(fields[1])\"")
        }
        guard !fields[2].isEmpty, !fields[3].isEmpty else {
            throw LedgerProblem(record.place, "\(fields[0]) needs a statement and a source")
        }
        guard !fields[6].isEmpty else {
            throw LedgerProblem(record.place, "\(fields[0]) needs a check")
        }
        guard fields[4].isEmpty == fields[5].isEmpty else {
            throw LedgerProblem(record.place, "\(fields[0]) names one outcome where two differ")
        }
        return Requirement(
            id: fields[0],
            origin: origin,
            statement: fields[2],
            source: fields[3],
            documented: fields[4],
            appleSource: fields[5],
            check: fields[6]
        )
    }
}
