import Cryptography
import DataProtection
import KeychainModel
import Secrets

// Coordinates changes to the device and its rows. A new passcode brings new class keys, and the
// keys of an earlier keybag no longer open the rows.
//
// Definitions  "key set": the class keys of one keybag; keybag and database store its name.
// Invariants   (1) Rows, metadata keys and the key set's name change in one transaction.
//              (2) The new keybag is durable before that transaction, and gets its final name after
//                  it: at any moment one of the two files opens all rows.
//              (3) No process seals under a key set that the database does not name.
//
// Source: Documentation/Spec/keybag.md §2, "Changing"; requirement LCK-07.
extension EngineState {
    /// Sets or changes the passcode, and renews all keys that it protects.
    ///
    /// - Returns: False, without a change, if the passcode is no longer the one that authorized it.
    mutating func setPasscode(
        _ new: NewPasscode,
        _ allowed: AllowedChange,
        in surroundings: Surroundings
    ) throws(KeychainError) -> Bool {
        try session.adoptEnrolments(of: surroundings)
        try vault.begin()
        do throws(KeychainError) {
            guard try renewKeys(for: new, allowed) else {
                vault.rollBack()
                return false
            }
        } catch {
            vault.rollBack()
            throw error
        }
        vault.forgetKeys()
        if case .stay(let reason) = vault.store.removeEarlierValues(.long) {
            let text = "data under the earlier keys is still in the database's log: "
            session.warn(KeychainError(.notAvailable, text + reason))
        }
        vault.closeUnavailable(session)
        return true
    }

    /// Prepares the new keybag, and rewraps the rows under it in the open transaction.
    ///
    /// Meanwhile another caller may have locked the keychain, or changed passcode or settings. The
    /// new keybag is based on the present one, and `stage` refuses if that is replaced after all.
    /// If no passcode is set, this also removes the rows that an earlier passcode left: the new
    /// class key could not open them.
    ///
    /// - Returns: False if the passcode changed meanwhile.
    private mutating func renewKeys(
        for new: NewPasscode,
        _ allowed: AllowedChange
    ) throws(KeychainError) -> Bool {
        try refresh(using: allowed)
        try vault.requireKeySet(of: session)
        guard let successor = try session.prepareSuccessor(new, allowed) else { return false }
        if !session.device.isPasscodeSet { _ = try vault.removePasscodeItems() }
        let unopened = try vault.renewKeys(under: successor, session)
        if unopened > 0 { session.warn(.rowsStay(unopened)) }
        let unopenedFileKeys = try vault.renewFileKeys(under: successor, session)
        if unopenedFileKeys > 0 { session.warn(.fileKeysStay(unopenedFileKeys)) }
        let unopenedHandleKeys = try vault.renewHandleKeys(under: successor, session)
        if unopenedHandleKeys > 0 { session.warn(.handleKeysStay(unopenedHandleKeys)) }
        try addFileKeys(under: successor)
        try vault.store.replaceKeySet(successor.keySet)
        try commit(with: successor)
        return true
    }

    /// Adds keys for future files, so that a copy of the present keys does not open those.
    private func addFileKeys(
        under successor: borrowing KeybagSuccessor
    ) throws(KeychainError) {
        try vault.addFileKeySet(session) { guardian, key throws(KeychainError) in
            let wrapped = try successor.withKey(guardian) { guardian throws(KeychainError) in
                try fromCryptography(try guardian.wrap(key))
            }
            if let wrapped { return wrapped }
            // The class key without a passcode stays the same.
            return try session.withClassKey(guardian) { guardian throws(CryptographyError) in
                try guardian.wrap(key)
            }
        }
    }

    /// Commits the transaction together with the keybag that wraps its rows.
    private mutating func commit(
        with successor: consuming KeybagSuccessor
    ) throws(KeychainError) {
        var next: KeybagSuccessor? = consume successor
        var failure: KeychainError?
        try session.change { device, now throws(DeviceError) in
            let storage = device.storage
            try storage.withExclusiveLock { () throws(DeviceError) in
                guard let successor = next.take() else { return }
                try device.stage(successor)
                do throws(KeychainError) { try vault.commit() } catch {
                    // The staged keybag stays, in case the failed commit did reach the disk.
                    failure = error
                    return
                }
                device.promote(successor, at: now)
            }
            return device.takeAnnouncements()
        }
        if let failure { throw failure }
    }

    /// Adopts the keybag that the database names.
    ///
    /// - Throws: `errSecNotAvailable` if there is none, because keybag or database was replaced by
    ///   a copy from before a change of passcode.
    mutating func settleKeySet() throws(KeychainError) {
        guard let named = try vault.store.keySet(), named != session.device.keySet else { return }
        let isSettled = try session.adoptSuccessor(named: named)
        vault.forgetKeys()
        guard isSettled else {
            throw KeychainError(
                .notAvailable,
                "keybag and database do not belong together: one of them is from before the"
                    + " passcode was set or changed; nothing was deleted"
            )
        }
    }

    /// Updates a keychain that was made before key sets existed; does nothing to a later one.
    mutating func takeOverKeySet() throws(KeychainError) {
        if try vault.store.keySet() == nil {
            try vault.inTransaction(&session) { vault, session throws(KeychainError) in
                guard try vault.store.keySet() == nil else { return }
                try vault.store.replaceKeySet(session.device.keySet)
            }
        }
        let now = session.environment.instant()
        try fromDevice(try session.device.takeOverKeybag(at: now))
        let present = session.device.keySet
        // A database that cannot be read is no reason to discard keys.
        try fromDevice(
            try session.device.discardSuccessor { (try? vault.store.keySet()) == present }
        )
    }
}

extension DeviceSession {
    /// Counts an attempt at the present passcode before a change or removal.
    ///
    /// - Returns: nil without a passcode, because then nothing has to be proven.
    mutating func beginChange(isCurrentGiven: Bool) throws(KeychainError) -> CountedAttempt? {
        try attempt { device, now throws(DeviceError) in
            try device.beginChange(isCurrentGiven: isCurrentGiven, at: now)
        }
    }

    /// Makes the attempt.
    mutating func allowChange(
        _ current: StretchedPasscode?,
        in surroundings: Surroundings
    ) throws(KeychainError) -> ChangeOutcome {
        try adoptEnrolments(of: surroundings)
        return try attempt { device, now throws(DeviceError) in
            try device.allowChange(current, at: now)
        }
    }

    /// Prepares the keybag of a new passcode, without any effect yet.
    ///
    /// - Returns: nil if the passcode is no longer the one that authorized the change.
    fileprivate mutating func prepareSuccessor(
        _ new: NewPasscode,
        _ allowed: AllowedChange
    ) throws(KeychainError) -> KeybagSuccessor? {
        try attempt { device, now throws(DeviceError) in
            try device.prepareSuccessor(new, allowed, at: now)
        }
    }

    fileprivate mutating func adoptSuccessor(named name: [UInt8]) throws(KeychainError) -> Bool {
        let now = environment.instant()
        return try fromDevice(try device.adoptSuccessor(named: name, at: now))
    }
}

// Rewrapping the rows.
extension ItemVault {
    /// Rewraps every row.
    ///
    /// - Returns: The number of rows that do not open; they stay unchanged.
    fileprivate mutating func renewKeys(
        under successor: borrowing KeybagSuccessor,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> Int {
        let renewed = ProtectionClass.allCases.filter { protection in
            successor.withKey(protection) { _ in true } ?? false
        }
        var total = 0
        for protection in renewed {
            total += try store.rowCount(in: protection)
        }
        var renewal = Renewal(total: total)
        for protection in renewed {
            guard let keys = try renewMetadataKey(of: protection, under: successor, session)
            else {
                continue
            }
            for itemClass in ItemClass.stored {
                for row in try rowNumbers(of: itemClass, in: protection) {
                    try renewKeys(
                        of: row,
                        itemClass,
                        keys,
                        under: successor,
                        session,
                        &renewal
                    )
                    environment.progress(renewal.done, renewal.total)
                }
            }
        }
        return renewal.unopened
    }

    private struct Renewal {
        let total: Int
        var done = 0
        var unopened = 0
    }

    private struct MetadataKeys {
        let old: MetadataKey
        let new: MetadataKey
    }

    /// Replaces a metadata key; returns nil if the class has none, or if it does not unwrap.
    ///
    /// - Throws: `errSecInteractionNotAllowed` if a lock has wiped the old class key, which is
    ///   needed to rewrap anything of the class.
    private mutating func renewMetadataKey(
        of protection: ProtectionClass,
        under successor: borrowing KeybagSuccessor,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> MetadataKeys? {
        switch session.device.unavailability(of: protection) {
        case nil: break
        case .noSuchClass: return nil
        case .locked:
            let reason = "the keychain was locked while its passcode was changed; nothing changed"
            throw KeychainError(.interactionNotAllowed, reason)
        case let error?: throw KeychainError(error)
        }
        guard let old = try metadataKey(of: protection, session) else { return nil }
        let new = try MetadataKey(random: environment.random)
        let wrapped = try successor.withKey(protection) { key throws(KeychainError) in
            try fromCryptography(try key.wrap(new.secret.secret))
        }
        guard let wrapped else { return nil }
        try store.replaceMetadataKey(wrapped, of: protection)
        return MetadataKeys(old: old, new: new)
    }

    private func rowNumbers(
        of itemClass: ItemClass,
        in protection: ProtectionClass
    ) throws(KeychainError) -> [Int64] {
        let cursor = try store.marks(of: itemClass, in: protection)
        var rows: [Int64] = []
        while let mark = try store.next(cursor) { rows.append(mark.row) }
        return rows
    }

    /// Rewraps one row; a damaged row stays unchanged, and opens no worse than before.
    private func renewKeys(
        of number: Int64,
        _ itemClass: ItemClass,
        _ keys: MetadataKeys,
        under successor: borrowing KeybagSuccessor,
        _ session: borrowing DeviceSession,
        _ renewal: inout Renewal
    ) throws(KeychainError) {
        renewal.done += 1
        var filter = RowFilter(itemClass: itemClass)
        filter.synchronizable = .any
        filter.isTombstone = nil
        filter.row = number
        let rows = try store.rows(filter, withSecrets: true)
        guard let row = rows.first,
            let renewed = try renewed(row, keys, under: successor, session)
        else {
            renewal.unopened += 1
            return
        }
        try store.rewrap(renewed)
    }

    private func renewed(
        _ row: SealedRow,
        _ keys: MetadataKeys,
        under successor: borrowing KeybagSuccessor,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> SealedRow? {
        let cipher = cipher
        let protection = row.item.columns.protection
        let handle = try earlierHandle(in: row.item, under: keys.old, session)
        let handleKey = handle == nil ? nil : try adoptingKey(of: protection, session)
        var renewed = row
        do throws(CipherError) {
            renewed.item.metadata = try cipher.rewrapMetadata(
                of: row.item,
                from: keys.old,
                to: keys.new
            )
            renewed.item.secret = try session.device.withClassKey(
                protection,
                else: CipherError.init(unavailable:)
            ) { old throws(CipherError) in
                let secret = try successor.withKey(protection) { new throws(CipherError) in
                    guard let handle else {
                        return try cipher.rewrapSecret(of: row.item, from: old, to: new)
                    }
                    return try cipher.rewrapElementKey(
                        of: row.item,
                        handle,
                        from: old,
                        to: new,
                        adopting: handleKey
                    )
                }
                return secret ?? nil
            }
            return renewed
        } catch .damaged {
            return nil
        } catch {
            throw KeychainError(error)
        }
    }
}

extension KeychainError {
    /// Returns the warning about rows that keep their old keys.
    fileprivate static func rowsStay(_ count: Int) -> KeychainError {
        KeychainError(.decode, "\(count) rows do not open and stay so; run keychainctl check")
    }

    /// Returns the warning about keys of handles that keep their old wrapping.
    fileprivate static func handleKeysStay(_ count: Int) -> KeychainError {
        let reason = "\(count) keys of handles do not open and stay so; run keychainctl check"
        return KeychainError(.decode, reason)
    }

    /// Returns the warning about keys of files that keep their old wrapping.
    fileprivate static func fileKeysStay(_ count: Int) -> KeychainError {
        let reason = "\(count) keys of files do not open and stay so; run keychainctl check"
        return KeychainError(.decode, reason)
    }
}
