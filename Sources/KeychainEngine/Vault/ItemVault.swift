import Cryptography
import DataProtection
import KeychainModel
import Secrets
import Synchronization

// Definitions  "metadata key": what opens the attributes of a class's rows; "row sum": the sealed
//              sum over all rows.
// Invariants   (1) A metadata key is here only while the session has its class key, or the profile
//                  keeps attributes readable.
//              (2) A metadata key is in use only while the store has it.
//              (3) Nothing here asks anybody: what has to be proven, the session proves.
//              (4) What is known of exchanged rows goes when the device locks.

/// The sealed rows, and what finds, opens and counts them.
///
/// Class keys and proofs are the session's: whatever needs them takes it as a parameter.
///
/// `@unchecked Sendable`: the engine's `ReadWriteLock` guards its only value. Exclusive access
/// allows everything. Shared access allows reading rows through a connection lent to that call;
/// what the call did is noted behind mutexes and atomics. No method returns the connection, a
/// statement or a cursor.
package struct ItemVault: ~Copyable, @unchecked Sendable {
    let store: ItemStore
    /// Connections for searches that share the vault; nil for a store in memory.
    let readers: ReaderPool?
    var keyring = MetadataKeyring()
    /// What the last look for synchronization showed.
    var exchangedRows = ExchangedRows()
    private(set) var digests: LookupDigests
    private(set) var rowSums: RowSumCipher
    /// What the write transaction under way did to the rows.
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

    /// Gives up whatever it is about to do as soon as somebody locks.
    func giveUp(at mark: LockMark) {
        store.connection.interruption.follow(mark)
        readers?.giveUp(at: mark)
    }

    var cipher: ItemCipher { ItemCipher(random: environment.random) }
}

// Keeping in step with the session.
extension ItemVault {
    /// Lets go of what the session's keys no longer open.
    mutating func keepInStep(
        with session: borrowing DeviceSession,
        after change: KeyChange
    ) throws(KeychainError) {
        if change.isOtherKeybag { try renewDigests(session) }
        // A metadata key of other class keys opens no row any more.
        if change.isOtherKeySet { forgetKeys() }
        closeUnavailable(session)
    }

    /// Metadata keys leave with their class keys, unless the profile keeps attributes readable:
    /// then they are fetched while they can be, and stay until the device restarts.
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

    /// Lets go of the metadata keys, and of what rows showed.
    mutating func forgetKeys() {
        keyring = MetadataKeyring()
        exchangedRows = ExchangedRows()
    }

    /// After an erase: a new lookup key, and no metadata key that is still good.
    mutating func renewDigests(_ session: borrowing DeviceSession) throws(KeychainError) {
        (digests, rowSums) = try Self.lookup(session)
        forgetKeys()
    }
}

// One write at a time.
extension ItemVault {
    /// Runs the body in one write transaction; an error of the body undoes it.
    ///
    /// The session is followed again: another process may have locked, or changed the passcode,
    /// while this one waited for its turn.
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
            // After a failed commit nothing is left to roll back, and nothing happens.
            rollBack()
            // A metadata key that the body made is in no table any more: nothing sealed under it
            // could be opened after a restart.
            keyring.keep { stored.holds($0) }
            throw error
        }
    }
}

// Which class keys the rows are under.
extension ItemVault {
    /// Whether the database names the class keys that the session has.
    private func hasKeySet(of session: borrowing DeviceSession) throws(KeychainError) -> Bool {
        let named = try store.keySet()
        return named == nil || named == session.device.keySet
    }

    /// Asked in every write, and wherever a row does not open.
    ///
    /// - Throws: `otherKeys`, after which the keys are looked at and the call is made again.
    func requireKeySet(of session: borrowing DeviceSession) throws(KeychainError) {
        guard try !hasKeySet(of: session) else { return }
        throw KeychainError(.notAvailable, "the rows have new keys now", cause: .otherKeys)
    }
}
