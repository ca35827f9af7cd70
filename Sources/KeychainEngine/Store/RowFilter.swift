import KeychainModel

/// The conditions of a search on one table, in the store's own terms.
package struct RowFilter: Sendable, Hashable {
    package let itemClass: ItemClass
    /// A digest for each attribute; all must match.
    package var digests: [Attribute: [UInt8]] = [:]
    /// Digests of the visible access groups; nil for all.
    package var accessGroups: [[UInt8]]?
    package var synchronizable: SynchronizableFilter = .local
    package var isTombstone: Bool? = false
    package var protection: ProtectionClass?
    /// Digests of primary keys, one of which must match; nil for any.
    package var primaryKeys: [[UInt8]]?
    package var reference: [UInt8]?
    package var row: Int64?
    /// The row number after which the search starts.
    package var after: Int64?
    /// The public key of a key; nil for any.
    package var publicKey: PublicKeyDigests?
    /// The digests of the wanted pairs, in a list for each access group; nil for any.
    ///
    /// A row must have all digests of one list.
    package var pairs: [[[UInt8]]]?

    package init(itemClass: ItemClass) { self.itemClass = itemClass }
}

/// The two forms in which a row can contain its public key.
package struct PublicKeyDigests: Sendable, Hashable {
    /// The digest of the key's hash, in a row whose owner chose the label.
    package let own: [UInt8]
    /// The digest of the label, which equals the hash in all other rows.
    package let label: [UInt8]
}

extension RowFilter {
    /// One term of the WHERE clause, with the values of its `?`.
    struct Term {
        enum Column: Hashable {
            case row, after, reference, primaryKey, synchronizable, tombstone, protection
            case accessGroup, publicKey, pair
            case digest(Attribute)
        }

        enum Value {
            case bytes([UInt8])
            case oneOf([[UInt8]])
            case number(Int64)
        }

        let column: Column
        let value: Value

        /// The number of `?` in the term.
        var valueCount: Int {
            if case .oneOf(let values) = value { values.count } else { 1 }
        }

        init(_ column: Column, _ value: Value) {
            self.column = column
            self.value = value
        }
    }

    /// The terms, the most selective first.
    var terms: [Term] {
        var terms: [Term] = []
        terms.reserveCapacity(digests.count + 8)
        if let row { terms.append(Term(.row, .number(row))) }
        if let after { terms.append(Term(.after, .number(after))) }
        if let reference { terms.append(Term(.reference, .bytes(reference))) }
        if let primaryKeys { terms.append(Term(.primaryKey, .oneOf(primaryKeys))) }
        if let publicKey {
            terms.append(Term(.publicKey, .oneOf([publicKey.own, publicKey.label])))
        }
        for (attribute, digest) in digests.sorted(by: { $0.key < $1.key }) {
            terms.append(Term(.digest(attribute), .bytes(digest)))
        }
        for place in (pairs?.first ?? []).indices {
            terms.append(Term(.pair, .oneOf(pairs?.map { $0[place] } ?? [])))
        }
        if let pairs, pairs.isEmpty { terms.append(Term(.pair, .oneOf([]))) }
        if let accessGroups { terms.append(Term(.accessGroup, .oneOf(accessGroups))) }
        // The digest of a primary key already covers `sync`.
        if synchronizable != .any, primaryKeys == nil {
            terms.append(Term(.synchronizable, .number(synchronizable == .synchronized ? 1 : 0)))
        }
        if let isTombstone { terms.append(Term(.tombstone, .number(isTombstone ? 1 : 0))) }
        if let protection {
            terms.append(Term(.protection, .number(Int64(protection.rawValue))))
        }
        return terms
    }
}
