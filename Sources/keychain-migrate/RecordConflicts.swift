import KeychainMigration

/// The records of a file that cannot move as a whole, because the keychain has another value for a
/// part.
struct RecordConflicts {
    /// The keys of the conflicting parts, by record.
    private let keys: [String: Set<String>]

    /// Compares each part with the keychain.
    ///
    /// - Parameters:
    ///   - parts: The parts of the file's records, with the items that they would become.
    ///   - keychain: The keychain to compare with. A part without an existing item needs no prompt.
    init(
        _ parts: [(record: String, key: String, value: SecretBytes, target: ItemAddress)],
        in keychain: any Keychain
    ) {
        var keys: [String: Set<String>] = [:]
        for part in parts {
            // keychain-lint:disable:next locked-as-missing -- the move reads it and reports why
            guard let item = try? keychain.read(part.target) else { continue }
            let isSame = item.value?.matches(part.value) ?? false
            if !isSame { keys[part.record, default: []].insert(part.key) }
        }
        self.keys = keys
    }

    /// Returns the outcome of a part whose record has to stay; nil if the part can move.
    func outcome(of key: String, in record: String) -> MoveOutcome? {
        guard let conflicts = keys[record] else { return nil }
        return conflicts.contains(key) ? .conflict : Self.staysWhole
    }

    static let staysWhole = MoveOutcome.kept("its profile moves whole or not at all")
}
