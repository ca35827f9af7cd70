import KeychainModel

/// The rows that have all of several pairs, in order, without reading any other row.
///
/// Each pair has a sorted list of row numbers. The walk asks each list in turn for its
/// first row from the latest candidate on, until all lists agree. If ten thousand rows share one
/// attribute, and one of them has the other, that takes four queries. Labels and full indexes of
/// other attributes take part as further lists.
/// - Source: Documentation/Spec/store.md §8.
struct PairWalk {
    /// A source of rows, in the order of their numbers.
    enum RowList {
        case pair([UInt8])
        /// An index of the table by its columns, with a digest for each.
        case index([(attribute: Attribute, digest: [UInt8])])

        var digests: [[UInt8]] {
            switch self {
            case .pair(let digest): [digest]
            case .index(let columns): columns.map(\.digest)
            }
        }
    }

    /// The position of the search within one access group.
    private enum Place {
        case from(Int64)
        case at(Int64)
        case end
    }

    private let groups: [[RowList]]
    private var places: [Place]
    /// The number of queries so far.
    private(set) var questionCount = 0

    /// Returns nil for a filter without pairs, and for one that names its rows otherwise.
    init?(_ filter: RowFilter) {
        guard let pairs = filter.pairs, filter.row == nil, filter.reference == nil,
            filter.primaryKeys == nil
        else { return nil }
        let indexes = Self.indexes(for: filter)
        groups = pairs.map { digests in digests.map(RowList.pair) + indexes }
        places = groups.map { $0.isEmpty ? .end : .from(.min) }
    }

    private static func indexes(for filter: RowFilter) -> [RowList] {
        let sparse = (Schema.sparseIndexes[filter.itemClass] ?? []).map { [$0] }
        return ((Schema.indexes[filter.itemClass] ?? []) + sparse).compactMap { attributes in
            let found = attributes.compactMap { attribute in
                filter.digests[attribute].map { (attribute: attribute, digest: $0) }
            }
            return found.count == attributes.count ? .index(found) : nil
        }
    }

    /// Returns the next row; nil after the last.
    mutating func next(in store: borrowing ItemStore) throws(KeychainError) -> Int64? {
        var least: Int64?
        for group in groups.indices {
            if case .from(let row) = places[group] {
                let found = try firstRow(in: groups[group], from: row, of: store)
                places[group] = found.map(Place.at) ?? .end
            }
            if case .at(let row) = places[group] { least = min(least ?? row, row) }
        }
        guard let least else { return nil }
        for group in groups.indices {
            guard case .at(least) = places[group] else { continue }
            places[group] = least == .max ? .end : .from(least + 1)
        }
        return least
    }

    /// Returns the first row that all lists contain.
    private mutating func firstRow(
        in lists: [RowList],
        from first: Int64,
        of store: borrowing ItemStore
    ) throws(KeychainError) -> Int64? {
        var candidate = first
        var agreeing = 0
        var place = 0
        while agreeing < lists.count {
            questionCount += 1
            // A smaller number is invalid: another program changed the column.
            guard let row = try store.firstRow(in: lists[place], from: candidate), row >= candidate
            else { return nil }
            agreeing = row == candidate ? agreeing + 1 : 1
            candidate = row
            place = (place + 1) % lists.count
        }
        return candidate
    }
}
