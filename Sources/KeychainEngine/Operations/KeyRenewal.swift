import Cryptography
import DataProtection
import KeychainModel
import Secrets

// Other class keys for a new passcode: what an earlier keybag opens is no longer what the rows are
// under.
//
// Definitions  "key set": the class keys of one keybag, by name; the database has the name too.
// Invariants   (1) Rows, metadata keys and the key set's name change in one transaction.
//              (2) The keybag that comes is durable before that transaction is, and goes by its
//                  name after it: at any moment one of the two files opens all rows.
//              (3) Nobody seals under keys whose name the database does not have.
//
// Source: Documentation/Spec/keybag.md §2, "Changing"; requirement LCK-07.
extension EngineState {
    /// Sets or changes the passcode, and gives all that it protects other keys.
    ///
    /// Whatever a passcode that is gone has left behind goes first, and durably: the new class
    /// key could not open it.
    mutating func setPasscode(
        _ new: SharedSecret,
        current: SharedSecret?
    ) throws(KeychainError) {
        if !device.isPasscodeSet {
            _ = try inTransaction { state throws(KeychainError) in
                try state.removePasscodeItems()
            }
        }
        try adoptEnrolments()
        let successor = try visit { () throws(DeviceError) in
            try device.prepareSuccessor(new.secret, current: current, at: environment.instant())
        }
        announcements += device.takeAnnouncements()
        try begin()
        do throws(KeychainError) {
            try refresh()
            try requireKeySet()
            try renewKeys(under: successor)
            try visit { () throws(StoreError) in try store.replaceKeySet(successor.keySet) }
            try commit(with: successor)
        } catch {
            rollBack()
            throw error
        }
        keyring = MetadataKeyring()
        if case .stay(let reason) = store.forgetEarlierValues(.long) {
            let text = "what was under the keys of before is still in the database's log: "
            warnings.append(KeychainError(.notAvailable, text + reason))
        }
        closeUnavailable()
    }

    /// Ends the transaction with the keybag that its rows are under.
    private mutating func commit(
        with successor: consuming KeybagSuccessor
    ) throws(KeychainError) {
        var next: KeybagSuccessor? = consume successor
        let now = environment.instant()
        let storage = device.storage
        var failure: KeychainError?
        try visit { () throws(DeviceError) in
            try storage.withExclusiveLock { () throws(DeviceError) in
                guard let successor = next.take() else { return }
                try device.stage(successor)
                do throws(KeychainError) { try commit() } catch {
                    // The staged file stays: should the disk have it otherwise, it is needed.
                    failure = error
                    return
                }
                device.promote(successor, at: now)
            }
        }
        announcements += device.takeAnnouncements()
        if let failure { throw failure }
    }

    private mutating func renewKeys(
        under successor: borrowing KeybagSuccessor
    ) throws(KeychainError) {
        let renewed = ProtectionClass.allCases.filter { protection in
            successor.withKey(protection) { _ in true } ?? false
        }
        var total = 0
        for protection in renewed {
            total += try visit { () throws(StoreError) in try store.rowCount(in: protection) }
        }
        var renewal = Renewal(total: total)
        for protection in renewed {
            guard let keys = try renewMetadataKey(of: protection, under: successor) else {
                continue
            }
            for itemClass in ItemClass.stored {
                for row in try rowNumbers(of: itemClass, in: protection) {
                    try renewKeys(of: row, itemClass, keys, under: successor, &renewal)
                    environment.progress(renewal.done, renewal.total)
                }
            }
        }
        guard renewal.unopened > 0 else { return }
        let reason = "\(renewal.unopened) rows do not open and stay as they are; see `check`"
        warnings.append(KeychainError(.decode, reason))
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

    /// Makes another metadata key; nil for a class without one, and for one that does not unwrap.
    ///
    /// - Throws: `errSecInteractionNotAllowed` if a lock has taken the class key of before: without
    ///   it nothing of the class could follow to the new one.
    private mutating func renewMetadataKey(
        of protection: ProtectionClass,
        under successor: borrowing KeybagSuccessor
    ) throws(KeychainError) -> MetadataKeys? {
        switch device.unavailability(of: protection) {
        case nil: break
        case .noSuchClass: return nil
        case .locked:
            let reason = "the keychain was locked while its passcode was changed; nothing changed"
            throw KeychainError(.interactionNotAllowed, reason)
        case let error?: throw KeychainError(error)
        }
        guard let old = try metadataKey(of: protection) else { return nil }
        let made = try visit { () throws(CryptographyError) in
            SharedSecret(try environment.random.secret(AESKeyWrap.keyByteCount))
        }
        let wrapped = try visit { () throws(CryptographyError) in
            try successor.withKey(protection) { key throws(CryptographyError) in
                try key.wrap(made.secret)
            }
        }
        guard let wrapped else { return nil }
        try visit { () throws(StoreError) in
            try store.replaceMetadataKey(wrapped, of: protection)
        }
        return MetadataKeys(old: old, new: MetadataKey(secret: made))
    }

    private func rowNumbers(
        of itemClass: ItemClass,
        in protection: ProtectionClass
    ) throws(KeychainError) -> [Int64] {
        try visit { () throws(StoreError) in
            let cursor = try store.marks(of: itemClass, in: protection)
            var rows: [Int64] = []
            while let mark = try store.next(cursor) { rows.append(mark.row) }
            return rows
        }
    }

    /// A row that is not what was sealed stays as it is: it opens no less than before.
    private func renewKeys(
        of number: Int64,
        _ itemClass: ItemClass,
        _ keys: MetadataKeys,
        under successor: borrowing KeybagSuccessor,
        _ renewal: inout Renewal
    ) throws(KeychainError) {
        renewal.done += 1
        var filter = RowFilter(itemClass: itemClass)
        filter.synchronizable = .any
        filter.isTombstone = nil
        filter.row = number
        let rows = try visit { () throws(StoreError) in
            try store.rows(filter, withSecrets: true)
        }
        guard let row = rows.first, let renewed = try renewed(row, keys, under: successor) else {
            renewal.unopened += 1
            return
        }
        try visit { () throws(StoreError) in try store.rewrap(renewed) }
    }

    private func renewed(
        _ row: SealedRow,
        _ keys: MetadataKeys,
        under successor: borrowing KeybagSuccessor
    ) throws(KeychainError) -> SealedRow? {
        let cipher = cipher
        let protection = row.item.columns.protection
        var renewed = row
        do throws(CipherError) {
            renewed.item.metadata = try cipher.rewrapMetadata(
                of: row.item,
                from: keys.old,
                to: keys.new
            )
            renewed.item.secret = try device.withClassKey(
                protection,
                else: CipherError.init(unavailable:)
            ) { old throws(CipherError) in
                let secret = try successor.withKey(protection) { new throws(CipherError) in
                    try cipher.rewrapSecret(of: row.item, from: old, to: new)
                }
                return secret ?? nil
            }
            return renewed
        } catch .damaged {
            return nil
        } catch {
            throw error.asKeychainError
        }
    }
}

// Which keys the rows are under.
extension EngineState {
    /// Whether the database names the class keys that this process has.
    private func hasKeySet() throws(KeychainError) -> Bool {
        let named = try visit { () throws(StoreError) in try store.keySet() }
        return named == nil || named == device.keySet
    }

    /// Asked in every write, and wherever a row does not open.
    ///
    /// - Throws: `otherKeys`, after which the keys are looked at and the call is made again.
    func requireKeySet() throws(KeychainError) {
        guard try !hasKeySet() else { return }
        throw KeychainError(.notAvailable, "the rows have other keys by now", cause: .otherKeys)
    }

    /// Follows the database to the keybag that it names.
    ///
    /// - Throws: `errSecNotAvailable` if there is none: a keybag of before a change of passcode was
    ///   put in its place, or a database of before.
    mutating func settleKeySet() throws(KeychainError) {
        let named = try visit { () throws(StoreError) in try store.keySet() }
        guard let named, named != device.keySet else { return }
        let now = environment.instant()
        let isSettled = try visit { () throws(DeviceError) in
            try device.adoptSuccessor(named: named, at: now)
        }
        keyring = MetadataKeyring()
        guard isSettled else {
            throw KeychainError(
                .notAvailable,
                "keybag and database do not belong together: one of them is from before the"
                    + " passcode was set or changed; nothing was deleted"
            )
        }
    }

    /// Brings a keychain of before there were key sets up to date; later ones need nothing.
    mutating func takeOverKeySet() throws(KeychainError) {
        let named = try visit { () throws(StoreError) in try store.keySet() }
        if named == nil {
            try inTransaction { state throws(KeychainError) in
                try visit { () throws(StoreError) in
                    guard try state.store.keySet() == nil else { return }
                    try state.store.replaceKeySet(state.device.keySet)
                }
            }
        }
        let now = environment.instant()
        try visit { () throws(DeviceError) in
            try device.takeOverKeybag(at: now)
            let present = device.keySet
            // What cannot be asked is no reason to throw keys away.
            try device.discardSuccessor { (try? store.keySet()) == present }
        }
    }
}
