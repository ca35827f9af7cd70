import KeychainMigration

/// A forecast of which moved secrets a backup can carry to another machine.
struct BackupForecast {
    /// The names of the secrets that never leave this machine.
    let staying: [String]
    /// The number of secrets to move.
    let count: Int
    private let isThisDeviceOnly: Bool

    /// The greatest number of names in the sentence.
    private static let nameCountLimit = 10

    /// Examines the secrets to store, and the items that exist already.
    init(
        _ plans: [PlannedSecret],
        in keychain: any Keychain,
        isThisDeviceOnly: Bool
    ) throws(KeychainFailure) {
        let moves = plans.filter { $0.move != nil }
        let isAnyKnown = moves.contains { $0.move?.target.accessibility == nil }
        let kinds: [ItemKind] = [.genericPassword, .internetPassword]
        let known = try isAnyKnown ? keychain.list(ItemScope(kinds: kinds)) : []
        let byAccount = Dictionary(grouping: known) { $0.attributes[.account] }
        staying = moves.filter { secret in
            guard let target = secret.move?.target else { return false }
            if let accessibility = target.accessibility { return accessibility.isThisDeviceOnly }
            let item = byAccount[target.attributes[.account]]?.first { $0.isAt(target.address) }
            // An item that is unreadable without a prompt has an access control.
            return item.map { $0.accessibility?.isThisDeviceOnly ?? true } ?? true
        }
        .map(\.what)
        count = moves.count
        self.isThisDeviceOnly = isThisDeviceOnly
    }

    /// A sentence to show before the deletion; nil if nothing moves.
    var sentence: String? {
        guard count > 0 else { return nil }
        guard !staying.isEmpty else {
            return "\(count) to move: keychainctl backup carries all of them to another machine"
        }
        let names = staying.prefix(Self.nameCountLimit).joined(separator: ", ")
        let more = staying.count - Self.nameCountLimit
        let rest = more > 0 ? " and \(more) more" : ""
        let reason =
            isThisDeviceOnly
            ? "" : " (their items exist already, for this device only or with an access control)"
        return "warning: \(staying.count) of \(count) to move never travel to another machine, "
            + "not even in a backup: \(names)\(rest)\(reason)"
    }
}

extension KeychainItem {
    /// Whether the item has all attributes of an address.
    fileprivate func isAt(_ address: ItemAddress) -> Bool {
        kind == address.kind && address.attributes.allSatisfy { attributes[$0.key] == $0.value }
    }
}
