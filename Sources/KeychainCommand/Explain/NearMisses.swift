import KeychainModel

/// Items that resemble the one that the user named.
struct NearMisses {
    /// Items of the other password class with the same account; the service matches the server.
    let otherClass: [KnownItem]
    /// Items whose names differ only in letter case and spaces.
    let otherSpelling: [KnownItem]
    /// Items whose names differ in a letter or two.
    ///
    /// If there are none, items whose service does.
    let similarName: [KnownItem]
    /// Items for the same service or server.
    let otherAccount: [KnownItem]

    init(_ facts: DiagnosisFacts) {
        let places: [Attribute] =
            switch facts.itemClass {
            case .key: [.applicationTag, .label]
            case .certificate, .identity: [.label]
            case .genericPassword, .internetPassword: [.service, .server]
            }
        let place = places.compactMap { facts.asked[$0] }.first
        let account = facts.asked[.account]
        let readable = facts.all.filter(\.isReadable)
        let itemPlace = { (item: KnownItem) in places.compactMap { item.attributes[$0] }.first }
        otherClass = readable.filter { item in
            item.itemClass != facts.itemClass && place != nil && itemPlace(item) == place
                && (account == nil || item.attributes[.account] == account)
        }
        let own = readable.filter { $0.itemClass == facts.itemClass }
        otherSpelling = own.filter { item in
            Self.isAlike(place, itemPlace(item)) && Self.isAlike(account, item.attributes[.account])
        }
        let samePlace = own.filter { place != nil && Self.isSimilar(place, itemPlace($0)) }
        let similar = (place == nil ? own : samePlace).filter {
            Self.isSimilar(account, $0.attributes[.account])
        }
        let misspelt = samePlace.filter { itemPlace($0) != place }
        similarName = similar.isEmpty ? misspelt : similar
        otherAccount = own.filter { place != nil && itemPlace($0) == place }
    }

    /// Whether a value resembles the given one; every value resembles a missing one.
    private static func isAlike(_ asked: AttributeValue?, _ found: AttributeValue?) -> Bool {
        guard let asked else { return true }
        guard let asked = text(asked), let found = text(found) else { return asked == found }
        return folded(asked) == folded(found)
    }

    /// Whether a value differs from the given one in at most two letters, fewer if it is short.
    private static func isSimilar(_ asked: AttributeValue?, _ found: AttributeValue?) -> Bool {
        if isAlike(asked, found) { return true }
        guard let asked = text(asked), let found = text(found) else { return false }
        let limit = min(2, asked.count / 3)
        guard limit > 0, abs(asked.count - found.count) <= limit else { return false }
        return Spelling.distance(folded(asked), folded(found)) <= limit
    }

    private static func text(_ value: AttributeValue?) -> String? {
        value.flatMap(DiagnosisFacts.bytes).flatMap { String(validating: $0, as: UTF8.self) }
    }

    private static func folded(_ text: String) -> String {
        text.lowercased().filter { !$0.isWhitespace }
    }
}
