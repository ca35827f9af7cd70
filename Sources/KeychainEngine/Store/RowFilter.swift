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
    /// Digests of primary keys, one of which the row has; nil: any.
    package var primaryKeys: [[UInt8]]?
    package var reference: [UInt8]?
    package var row: Int64?
    /// Only rows behind this one.
    package var after: Int64?
    /// The public key that a key has; nil: any.
    package var publicKey: PublicKeyDigests?
    /// For each access group the digests of the wanted pairs, all of which the row has in one of
    /// the groups; nil: any.
    package var pairs: [[[UInt8]]]?

    package init(itemClass: ItemClass) { self.itemClass = itemClass }
}

/// The two ways in which a row names its public key.
package struct PublicKeyDigests: Sendable, Hashable {
    /// The digest of its hash, where the label is the owner's own.
    package let own: [UInt8]
    /// The digest of the label that is the hash, everywhere else.
    package let label: [UInt8]
}

extension RowFilter {
    /// One term of the WHERE clause, and what its `?` are bound to.
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

        /// How many `?` it has.
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
        // The digest of a primary key is also one of `sync`.
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
