import KeychainMessages
import KeychainModel

/// The items that removing the passcode affects, and the user's confirmation.
struct PasscodeLosses {
    /// The number of items that are named; the others are only counted.
    private static let nameLimit = 20

    private var names: [BoundItem.Bond: [String]] = [:]
    private var counts: [BoundItem.Bond: Int] = [:]
    /// The number of items that the lock state hides.
    private let closedCount: Int

    /// Examines every item of all access groups.
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

    /// Names the items that would be lost; without a terminal, requires `--force`.
    ///
    /// - Returns: Whether entering the passcode at the next prompt confirms the loss.
    /// - Throws: `CommandFailure.input` if items would be lost without a terminal, or if locked
    ///   items cannot be checked; nothing has changed.
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

    /// Writes a line about all items of a kind, then a line for each.
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
