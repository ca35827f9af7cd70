import KeychainMessages
import KeychainModel

/// The items that would go with the passcode, and the question whether they may.
struct PasscodeLosses {
    /// How many items are named before the rest is only counted.
    private static let nameLimit = 20

    private var names: [BoundItem.Bond: [String]] = [:]
    private var counts: [BoundItem.Bond: Int] = [:]
    /// How many items the lock state keeps closed.
    private let closedCount: Int

    /// Looks at every item, of all access groups.
    init(_ context: CommandContext) throws(CommandFailure) {
        var names: [BoundItem.Bond: [String]] = [:]
        var counts: [BoundItem.Bond: Int] = [:]
        let endpoint = try context.connected()
        do throws(KeychainError) {
            closedCount = try endpoint.passcodeLosses { item in
                counts[item.bond, default: 0] += 1
                guard counts[item.bond, default: 0] <= Self.nameLimit else { return }
                names[item.bond, default: []].append(item.attributes.words(for: item.itemClass))
            }
        } catch { throw .keychain(error) }
        self.names = names
        self.counts = counts
    }

    /// Names what would be lost; without a terminal only `--force` lets the command go on.
    ///
    /// - Returns: Whether the next passcode that is typed is the person's agreement.
    /// - Throws: `CommandFailure.input` if nobody has agreed; nothing was changed.
    func confirm(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) -> Bool {
        try tell(.passcodeClass, "deletes", "of WhenPasscodeSetThisDeviceOnly", context)
        try tell(.accessControl, "closes", "whose access control needs it, for good", context)
        guard !arguments.has(.force) else { return false }
        guard closedCount == 0 else {
            throw .input(
                "the keychain is locked, so \(closedCount) items cannot be checked; nothing was"
                    + " changed; run keychainctl unlock-keychain first, or add --force"
            )
        }
        guard !counts.isEmpty else { return false }
        guard context.terminal.inputIsTerminal else {
            throw .input("items would be lost; nothing was changed; to remove it, add --force")
        }
        try context.note("no command undoes this; enter the passcode, or stop with Ctrl-C")
        return true
    }

    /// A line about all items of a sort, then one for each.
    private func tell(
        _ bond: BoundItem.Bond,
        _ verb: String,
        _ sort: String,
        _ context: CommandContext
    ) throws(CommandFailure) {
        guard let count = counts[bond] else { return }
        let items = count == 1 ? "1 item" : "\(count) items"
        try context.note("warning: removing the passcode \(verb) \(items) \(sort):")
        for name in names[bond] ?? [] { try context.note("  " + name) }
        if count > Self.nameLimit { try context.note("  and \(count - Self.nameLimit) more") }
    }
}
