import DataProtection
import KeychainModel

// Removing the passcode: its class key goes first, then the rows that it alone could open.
//
// Invariant    Once the keybag without a passcode is durable, the passcode is removed, whatever
//              becomes of the rows: what stays of them opens no more, and goes at the next opening.
//
// Source: Documentation/Spec/keybag.md §2, "Removing"; requirement LCK-07.
extension EngineState {
    /// Destroys the class key first, then the rows that it alone could open.
    ///
    /// - Returns: Another attempt, if there is another passcode by now; else nil.
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

    /// Removes what a removal of the passcode that was cut short has left: rows that nothing opens.
    ///
    /// The class has a metadata key as long as it has rows, so that this and its handle keys are
    /// all that is asked for. Rows that cannot be removed keep no keychain from being opened; that
    /// is a warning.
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
    /// Removes the rows of the class that exists only with a passcode, and its handle keys.
    ///
    /// - Returns: How many items there were.
    mutating func removePasscodeItems() throws(KeychainError) -> Int {
        let ended = ProtectionClass.whenPasscodeSetThisDeviceOnly
        try store.removeHandleKeys(of: ended)
        let changes = try store.removeAll(in: ended)
        for change in changes { try note(change) }
        return changes.count
    }
}

extension KeychainError {
    /// The end of items with their passcode.
    fileprivate static func itemsEnded(_ count: Int) -> KeychainError {
        let items = count == 1 ? "1 item" : "\(count) items"
        let reason = "removing the passcode deleted \(items) of WhenPasscodeSetThisDeviceOnly"
        return KeychainError(.itemNotFound, reason)
    }

    /// The passcode is gone, and what it alone opened is still there.
    fileprivate static func endedRowsStay(_ error: KeychainError) -> KeychainError {
        let reason =
            "the passcode is removed; its WhenPasscodeSetThisDeviceOnly items open no more, but"
            + " are not deleted yet: "
        return KeychainError(error.status, reason + error.reason)
    }
}
