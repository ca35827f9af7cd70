import KeychainModel

/// The last few searches that failed, so that the call after them can be explained.
struct RecentCalls: Sendable {
    enum Outcome: Sendable { case missed, refused }

    private struct Search: Sendable {
        let itemClass: ItemClass
        let terms: AttributeValues
        let pairs: LookupPairs
        let outcome: Outcome
    }

    private static let countLimit = 16
    /// The most bytes of a search that is remembered, so that a daemon does not keep large values
    /// of a call.
    private static let byteCountLimit = 4096
    private var searches: [Search] = []

    mutating func remember(_ selection: Selection, _ outcome: Outcome) {
        let byteCount = selection.terms.values.reduce(0) { $0 + $1.heldByteCount }
        guard byteCount <= Self.byteCountLimit else { return }
        if searches.count == Self.countLimit { searches.removeFirst() }
        searches.append(
            Search(
                itemClass: selection.itemClass,
                terms: selection.terms,
                pairs: selection.pairs,
                outcome: outcome
            )
        )
    }

    /// Whether a recent search would have found this item without an attribute outside the primary
    /// key.
    func missed(_ item: PlainItem) -> Bool {
        let key = Set(Schema.primaryKey(of: item.itemClass))
        return searches.contains { search in
            search.outcome == .missed && search.itemClass == item.itemClass
                && item.pairs.contains(search.pairs)
                && search.terms.keys.contains { key.contains($0) }
                && search.terms.allSatisfy { !key.contains($0.key) || item[$0.key] == $0.value }
        }
    }

    /// Whether a search for the same items was recently refused because the device is locked.
    func refused(_ selection: Selection) -> Bool {
        searches.contains {
            $0.outcome == .refused && $0.itemClass == selection.itemClass
                && $0.terms == selection.terms && $0.pairs == selection.pairs
        }
    }
}

extension AttributeValue {
    /// The bytes of the value that vary in size.
    fileprivate var heldByteCount: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .data(let bytes): bytes.count
        case .secret(let secret): secret.secret.byteCount
        case .array(let values): values.reduce(0) { $0 + 32 + $1.heldByteCount }
        default: 0
        }
    }
}
