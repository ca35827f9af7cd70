import Cryptography
import DataProtection
import KeychainModel
import Secrets
import Synchronization

// Definitions  "metadata key": the key that opens the attributes of a class's rows; "row sum":
//              the sealed sum over all rows.
// Invariants   (1) A metadata key is here only while the session has its class key, or the profile
//                  keeps attributes readable.
//              (2) A metadata key is in use only while the store has it.
//              (3) The vault never prompts: the session proves everything that needs a proof.
//              (4) Knowledge about exchanged rows is dropped when the device locks.

/// The sealed rows, with the code that finds, opens and counts them.
///
/// Class keys and proofs belong to the session; a method that needs them takes it as a parameter.
///
/// `@unchecked Sendable`: the engine's `ReadWriteLock` guards its only value. Exclusive access
/// allows everything. Shared access allows reading rows through a connection lent to that call, and
/// records its effects behind mutexes and atomics. No method returns the connection, a statement or
/// a cursor.
package struct ItemVault: ~Copyable, @unchecked Sendable {
    let store: ItemStore
    /// Connections for searches that share the vault; nil for a store in memory.
    let readers: ReaderPool?
    var keyring = MetadataKeyring()
    /// The rows that synchronization has opened so far.
    var exchangedRows = ExchangedRows()
    private(set) var digests: LookupDigests
    private(set) var rowSums: RowSumCipher
    /// The changes of the open write transaction, for the row sum.
    var pending = RowSum()
    let recent = Mutex(RecentCalls())
    let work: WorkCount
    let environment: EngineEnvironment
    let profiles: Profiles

    init(
        store: consuming ItemStore,
        _ session: borrowing DeviceSession,
        environment: EngineEnvironment,
        profiles: Profiles
    ) throws(KeychainError) {
        let (digests, rowSums) = try Self.lookup(session)
        self.digests = digests
        self.rowSums = rowSums
        self.readers = store.location.map(ReaderPool.init)
        self.store = store
        self.work = WorkCount(elementTrip: environment.elementTrip)
        self.environment = environment
        self.profiles = profiles
    }

    private static func lookup(
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> (LookupDigests, RowSumCipher) {
        try session.device.withLookupKey { key throws(KeychainError) in
            (try LookupDigests(key: key), try RowSumCipher(lookupKey: key))
        }
    }

    /// Makes its connections give up their work as soon as a lock is requested.
    func giveUp(at mark: LockMark) {
        store.connection.interruption.follow(mark)
        readers?.giveUp(at: mark)
    }

    var cipher: ItemCipher { ItemCipher(random: environment.random) }
}

// Following the session.
extension ItemVault {
    /// Drops everything that the session's keys no longer open.
    mutating func keepInStep(
        with session: borrowing DeviceSession,
        after change: KeyChange
    ) throws(KeychainError) {
        if change.isOtherKeybag { try renewDigests(session) }
        // A metadata key under other class keys no longer opens any row.
        if change.isOtherKeySet { forgetKeys() }
        closeUnavailable(session)
    }

    /// Drops the metadata keys whose class keys are gone.
    ///
    /// If the profile keeps attributes readable, they are loaded while the class keys are
    /// available, and stay until the device restarts.
    mutating func closeUnavailable(_ session: borrowing DeviceSession) {
        let keepsLocked =
            profiles.behavior.metadataReadableWhenLocked
            && session.device.state.lockState != .beforeFirstUnlock
        if keepsLocked {
            for protection in ProtectionClass.allCases
            where session.device.isAvailable(protection) {
                // A class without a metadata key has no attributes to keep readable.
                _ = try? keyring.existingKey(of: protection, device: session.device, store: store)
            }
        }
        keyring.keep(openIn: session.device, orLocked: keepsLocked)
        if !session.device.isAvailable(.whenUnlocked) { exchangedRows = ExchangedRows() }
    }

    /// Drops the metadata keys, and the knowledge about exchanged rows.
    mutating func forgetKeys() {
        keyring = MetadataKeyring()
        exchangedRows = ExchangedRows()
    }

    /// Takes a new lookup key after an erase, and drops the metadata keys, which are now useless.
    mutating func renewDigests(_ session: borrowing DeviceSession) throws(KeychainError) {
        (digests, rowSums) = try Self.lookup(session)
        forgetKeys()
    }
}

// One write at a time.
extension ItemVault {
    /// Runs `body` in one write transaction; an error of `body` undoes it.
    ///
    /// It follows the session again, because another process may have locked, or changed the
    /// passcode, while this one waited for its turn.
    mutating func inTransaction<R>(
        _ session: inout DeviceSession,
        _ body: (inout ItemVault, inout DeviceSession) throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        try begin()
        var stored = keyring
        do throws(KeychainError) {
            let change = try session.follow()
            try keepInStep(with: session, after: change)
            try requireKeySet(of: session)
            stored = keyring
            let result = try body(&self, &session)
            try commit()
            return result
        } catch {
            // After a failed commit there is nothing to roll back, and this does nothing.
            rollBack()
            // A metadata key that `body` created is in no table. After a restart, nothing
            // sealed under it could be opened.
            keyring.keep { stored.holds($0) }
            throw error
        }
    }
}

// The class keys that seal the rows.
extension ItemVault {
    /// Whether the database names the session's class keys.
    private func hasKeySet(of session: borrowing DeviceSession) throws(KeychainError) -> Bool {
        let named = try store.keySet()
        return named == nil || named == session.device.keySet
    }

    /// Throws unless the session's class keys seal the rows.
    ///
    /// Every write calls it, and so does every read whose row does not open.
    /// - Throws: `otherKeys`; the engine then reads the keys again and repeats the call.
    func requireKeySet(of session: borrowing DeviceSession) throws(KeychainError) {
        guard try !hasKeySet(of: session) else { return }
        throw KeychainError(.notAvailable, "the rows have new keys now", cause: .otherKeys)
    }
}
