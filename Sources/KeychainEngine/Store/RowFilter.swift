import KeychainModel

/// Which rows of a table a search wants, in the store's own terms.
package struct RowFilter: Sendable, Hashable {
    package let itemClass: ItemClass
    /// Digest per attribute; all must be equal.
    package var digests: [Attribute: [UInt8]] = [:]
    /// Digests of the access groups that may be seen; nil: all.
    package var accessGroups: [[UInt8]]?
    package var synchronizable: SynchronizableFilter = .local
    package var isTombstone: Bool? = false
    package var protection: ProtectionClass?
    package var primaryKey: [UInt8]?
    package var reference: [UInt8]?
    package var row: Int64?

    package init(itemClass: ItemClass) { self.itemClass = itemClass }
}

extension RowFilter {
    /// One term of the WHERE clause, and what its `?` are bound to.
    enum Term {
        case bytes(String, [[UInt8]])
        case number(String, Int64)

        var text: String {
            switch self {
            case .bytes(let text, _), .number(let text, _): text
            }
        }
    }

    /// The terms, the most selective first.
    var terms: [Term] {
        var terms: [Term] = []
        if let row { terms.append(.number("row = ?", row)) }
        if let reference { terms.append(.bytes("pref = ?", [reference])) }
        if let primaryKey { terms.append(.bytes("pkey = ?", [primaryKey])) }
        for attribute in digests.keys.sorted() {
            guard let digest = digests[attribute] else { continue }
            terms.append(.bytes("\(StoreSchema.column(attribute)) = ?", [digest]))
        }
        if let accessGroups {
            let places = accessGroups.map { _ in "?" }.joined(separator: ", ")
            let column = "+" + StoreSchema.column(.accessGroup)
            terms.append(.bytes("\(column) IN (\(places))", accessGroups))
        }
        if synchronizable != .any {
            terms.append(.number("sync = ?", synchronizable == .synchronized ? 1 : 0))
        }
        if let isTombstone { terms.append(.number("tomb = ?", isTombstone ? 1 : 0)) }
        if let protection { terms.append(.number("pdmn = ?", Int64(protection.rawValue))) }
        return terms
    }
}
