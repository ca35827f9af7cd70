import DataProtection
import KeychainModel

// Removes the passcode: first its class key, then the rows that only that key could open.
//
// Invariant    Once the keybag without a passcode is durable, the passcode is removed, even if rows
//              remain: they no longer open, and the next opening of the keychain deletes them.
//
// Source: Documentation/Spec/keybag.md §2, "Removing"; requirement LCK-07.
extension EngineState {
    /// Destroys the class key first, then the rows that only it could open.
    ///
    /// - Returns: Another attempt if the passcode changed meanwhile; otherwise nil.
    mutating func removePasscode(
        with current: StretchedPasscode
    ) throws(KeychainError) -> CountedAttempt? {
        var isRemoved = false
        var another: CountedAttempt?
        do throws(KeychainError) {
            try vault.inTransaction(&session) { vault, session throws(KeychainError) in
                another = try session.attempt { device, now throws(DeviceError) in
                    try device.removePasscode(with: current, at: now)
                }
                guard another == nil else { return }
                isRemoved = true
                let count = try vault.removePasscodeItems()
                if count > 0 { session.warn(.itemsEnded(count)) }
            }
        } catch {
            guard isRemoved else { throw error }
            session.warn(.endedRowsStay(error))
        }
        guard another == nil else { return another }
        vault.store.removeEarlierValues()
        vault.closeUnavailable(session)
        return nil
    }

    /// Removes the unreadable rows that an interrupted removal of the passcode left.
    ///
    /// A class has a metadata key as long as it has rows, so this looks only for that and for
    /// handle keys. Rows that cannot be removed cause a warning, and the keychain still opens.
    mutating func finishPasscodeRemoval() {
        guard !session.device.isPasscodeSet else { return }
        do throws(KeychainError) {
            let ended = ProtectionClass.whenPasscodeSetThisDeviceOnly
            let hasItems = try vault.store.metadataKey(of: ended) != nil
            let hasHandleKey = try vault.store.hasHandleKey(of: ended)
            guard hasItems || hasHandleKey else { return }
            try vault.inTransaction(&session) { vault, session throws(KeychainError) in
                guard !session.device.isPasscodeSet else { return }
                _ = try vault.removePasscodeItems()
            }
            vault.store.removeEarlierValues()
        } catch {
            session.warn(.endedRowsStay(error))
        }
    }
}

extension ItemVault {
    /// Removes the rows and handle keys of the class that exists only with a passcode.
    ///
    /// - Returns: The number of items removed.
    mutating func removePasscodeItems() throws(KeychainError) -> Int {
        let ended = ProtectionClass.whenPasscodeSetThisDeviceOnly
        try store.removeHandleKeys(of: ended)
        let changes = try store.removeAll(in: ended)
        for change in changes { try note(change) }
        return changes.count
    }
}

extension KeychainError {
    /// Returns the warning about items that were deleted with the passcode.
    fileprivate static func itemsEnded(_ count: Int) -> KeychainError {
        let items = count == 1 ? "1 item" : "\(count) items"
        let reason = "removing the passcode deleted \(items) of WhenPasscodeSetThisDeviceOnly"
        return KeychainError(.itemNotFound, reason)
    }

    /// Returns the warning about items of the removed passcode that are still stored.
    fileprivate static func endedRowsStay(_ error: KeychainError) -> KeychainError {
        let reason =
            "the passcode is removed; its WhenPasscodeSetThisDeviceOnly items open no more, but"
            + " are not deleted yet: "
        return KeychainError(error.status, reason + error.reason)
    }
}
