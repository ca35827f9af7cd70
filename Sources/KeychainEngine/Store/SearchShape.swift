import KeychainModel

/// The parts of a search that determine its SQL: everything except the values.
///
/// Statements are cached by shape, so that a search neither builds nor compares any text.
struct SearchShape: Hashable {
    enum Wanted: Hashable { case rows, rowsWithSecrets, count }

    private struct Term: Equatable {
        let column: RowFilter.Term.Column
        let valueCount: Int
    }

    private let itemClass: ItemClass
    private let wanted: Wanted
    private let terms: [Term]

    init(_ itemClass: ItemClass, _ terms: [RowFilter.Term], _ wanted: Wanted) {
        self.itemClass = itemClass
        self.wanted = wanted
        self.terms = terms.map { Term(column: $0.column, valueCount: $0.valueCount) }
    }

    /// Hashes the class and the number of terms, which tell most of the few shapes in use apart.
    func hash(into hasher: inout Hasher) { hasher.combine(itemClass.index << 8 | terms.count) }

    /// The SQL of the search, with `?` for each value.
    var text: String {
        let table = TableText.of(itemClass)
        switch wanted {
        case .rows: return "\(table.select) \(condition) ORDER BY row"
        case .rowsWithSecrets: return "\(table.selectWithSecret) \(condition) ORDER BY row"
        case .count: return "SELECT COUNT(*) FROM \(itemClass.rawValue) \(condition)"
        }
    }

    private var condition: String {
        let all = terms.map(text)
        return all.isEmpty ? "" : "WHERE " + all.joined(separator: " AND ")
    }

    /// Whether another term finds fewer rows than an attribute that many items share.
    ///
    /// SQLite would search by the attribute first: it takes a sparse index for a short one.
    private func isBetterFound(than attribute: Attribute) -> Bool {
        guard Schema.sparseIndexes[itemClass]?.contains(attribute) == true else { return false }
        let indexes = Schema.indexes[itemClass] ?? []
        return terms.contains { term in
            switch term.column {
            case .row, .reference, .primaryKey, .publicKey: true
            case .digest(let other): indexes.contains { $0.first == other }
            case .accessGroup, .synchronizable, .tombstone, .protection, .pair, .after: false
            }
        }
    }

    private func text(of term: Term) -> String {
        let publicKey = StoreSchema.publicKeyColumn
        let label = StoreSchema.column(.applicationLabel)
        let places = Array(repeating: "?", count: term.valueCount).joined(separator: ", ")
        return switch term.column {
        case .row: "row = ?"
        case .after: "row > ?"
        case .reference: "pref = ?"
        // A single key uses `=` instead of `IN`, so its row needs no sorting.
        case .primaryKey: term.valueCount == 1 ? "pkey = ?" : "pkey IN (\(places))"
        case .publicKey:
            "(\(publicKey) = ? OR (\(publicKey) IS NULL AND \(label) = ?))"
        case .digest(let attribute):
            "\(isBetterFound(than: attribute) ? "+" : "")\(StoreSchema.column(attribute)) = ?"
        // The plus prevents SQLite from searching by the group first, which is hardly selective.
        case .accessGroup: "+\(StoreSchema.column(.accessGroup)) IN (\(places))"
        case .pair:
            """
            EXISTS (SELECT 1 FROM \(StoreSchema.pairTable) AS pairs
                WHERE pairs.digest IN (\(places)) AND pairs.row = \(itemClass.rawValue).row)
            """
        case .synchronizable: "sync = ?"
        case .tombstone: "tomb = ?"
        case .protection: "pdmn = ?"
        }
    }
}
