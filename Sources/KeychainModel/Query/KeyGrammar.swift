/// The kind of a raw dictionary key, determined without its value.
///
/// - Source: requirement QRY-05; the classification by length and first letter is Apple's
///   (Security-61901, SecDbQuery.c).
package enum KeyGrammar: Sendable, Hashable {
    /// Exactly four letters: an attribute name, possibly of another class.
    case attribute(Attribute)
    case key(QueryKey, QueryKey.Group, QueryKey.Shape)
    /// A match key that no keychain has; accepted like other match keys, without effect.
    case unknownMatch
    /// Without effect in every call.
    case ignored
    /// `errSecParam`.
    case malformed

    package init(_ raw: String) {
        if raw.utf8.count == 4, raw != QueryKey.noLegacy.rawValue {
            self = .attribute(Attribute(rawValue: raw))
        } else if let row = QueryKey.rows[raw] {
            self = row.group == .ignored ? .ignored : .key(row.key, row.group, row.shape)
        } else if raw.utf8.count < 2 {
            self = .malformed
        } else {
            self = Self.byFirstLetter(raw)
        }
    }

    private static func byFirstLetter(_ raw: String) -> KeyGrammar {
        switch raw.utf8.first {
        case UInt8(ascii: "m"): .unknownMatch
        case UInt8(ascii: "f"): .ignored
        default: .malformed
        }
    }
}
