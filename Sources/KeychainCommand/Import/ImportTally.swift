/// The number of imported units of each kind.
struct ImportTally: Sendable, Hashable {
    var identities = 0
    var certificates = 0
    var keys = 0

    /// Returns one line for each kind with at least one unit.
    ///
    /// - Parameters:
    ///   - one: The text after a single unit.
    ///   - several: The text after several units.
    /// - Returns: Lines such as `1 identity imported.`
    func lines(_ one: String, _ several: String) -> [String] {
        [
            (identities, "identity", "identities"), (certificates, "certificate", "certificates"),
            (keys, "key", "keys"),
        ].compactMap { count, singular, plural in
            guard count > 0 else { return nil }
            return count == 1 ? "1 \(singular) \(one)." : "\(count) \(plural) \(several)."
        }
    }

    var json: JSONValue {
        .object([
            "identities": .number(Int64(identities)),
            "certificates": .number(Int64(certificates)), "keys": .number(Int64(keys)),
        ])
    }
}
