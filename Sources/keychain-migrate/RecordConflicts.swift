import KeychainMigration

/// Finds the records of a file that cannot move whole, because the keychain has another value for
/// a part of one.
struct RecordConflicts {
    /// The records, each by the key of the part that is in the way.
    private let keys: [String: Set<String>]

    /// - Parameters:
    ///   - parts: The parts of the file's records, and what each is to become.
    ///   - keychain: What it holds is compared without a prompt only where an item is there.
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

    /// What becomes of a part for which its record has to stay; nil if it can move.
    func outcome(of key: String, in record: String) -> MoveOutcome? {
        guard let conflicts = keys[record] else { return nil }
        return conflicts.contains(key) ? .conflict : Self.staysWhole
    }

    static let staysWhole = MoveOutcome.kept("its profile moves whole or not at all")
}
