import Cryptography
import DataProtection
import KeychainModel
import Secrets
import Synchronization

/// What the engine's lock guards.
///
/// `@unchecked Sendable`: its only value lives in the engine's `ReadersLock`. Who has it alone may
/// do anything; who shares it reads keys and rows through a connection lent to that call, and
/// notes what it did behind mutexes and atomics. No method hands out the connection, a statement
/// or a cursor.
package struct EngineState: ~Copyable, @unchecked Sendable {
    var device: Device
    let store: ItemStore
    /// Connections for searches that share the state; nil for a store in memory.
    let readers: ReaderPool?
    var keyring = MetadataKeyring()
    var digests: LookupDigests
    var rowSums: RowSumCipher
    /// What the write transaction under way did to the rows.
    var pending = RowSum()
    let recent = Mutex(RecentCalls())
    let work: WorkCount
    /// What was proven for each context; empty after a lock.
    var contexts: [SessionID: ContextProof] = [:]
    /// How often the device was locked.
    var lockCount: UInt64 = 0
    private var wasUnlocked = false
    /// Whether the process is ending, and every key is gone.
    private(set) var hasEnded = false
    /// What applications are to be told once the mutex is free.
    var announcements: [DeviceAnnouncement] = []
    /// What did not work beside the purpose of the calls so far.
    var warnings: [KeychainError] = []
    let environment: EngineEnvironment
    let profiles: Profiles

    init(
        device: consuming Device,
        store: consuming ItemStore,
        environment: EngineEnvironment,
        profiles: Profiles
    ) throws(KeychainError) {
        let digests = try Self.digests(of: device)
        let rowSums = try Self.rowSums(of: device)
        self.digests = digests
        self.rowSums = rowSums
        self.device = device
        self.readers = store.location.map(ReaderPool.init)
        self.store = store
        self.work = WorkCount(elementTrip: environment.elementTrip)
        self.environment = environment
        self.profiles = profiles
    }

    private static func digests(of device: borrowing Device) throws(KeychainError) -> LookupDigests
    {
        try visit { () throws(CryptographyError) in
            try device.withLookupKey { key throws(CryptographyError) in
                try LookupDigests(key: key)
            }
        }
    }

    private static func rowSums(of device: borrowing Device) throws(KeychainError) -> RowSumCipher {
        try visit { () throws(CryptographyError) in
            try device.withLookupKey { key throws(CryptographyError) in
                try RowSumCipher(lookupKey: key)
            }
        }
    }

    var cipher: ItemCipher { ItemCipher(random: environment.random) }
}

/// How much work was done: what tests and benchmarks look at.
///
/// - Source: requirements STO-03, STO-04, STO-05, STO-07.
package struct EngineCounters: Sendable, Equatable {
    package var openedMetadata = 0
    package var openedSecrets = 0
    /// How often a class key unwrapped the key of a value: on Apple's hardware, a trip to the
    /// Secure Enclave each.
    package var elementTrips = 0
}

/// The counters, which searches on several threads raise.
final class WorkCount: Sendable {
    private let metadata = Atomic(0)
    private let secrets = Atomic(0)
    private let trips = Atomic(0)
    private let elementTrip: (@Sendable () -> Void)?

    /// `elementTrip` is called for each trip; a simulated one takes time.
    init(elementTrip: (@Sendable () -> Void)? = nil) { self.elementTrip = elementTrip }

    func countMetadata() { metadata.add(1, ordering: .relaxed) }
    func countSecret() { secrets.add(1, ordering: .relaxed) }

    func countTrip() {
        trips.add(1, ordering: .relaxed)
        elementTrip?()
    }

    var counters: EngineCounters {
        EngineCounters(
            openedMetadata: metadata.load(ordering: .relaxed),
            openedSecrets: secrets.load(ordering: .relaxed),
            elementTrips: trips.load(ordering: .relaxed)
        )
    }
}

// Keeping in step with the device.
extension EngineState {
    /// Before every request: what time and other processes changed.
    mutating func refresh() throws(KeychainError) {
        let before = device.keybagUUID
        let keySet = device.keySet
        let epochCount = device.epochCount
        announcements += try visit { () throws(DeviceError) in
            try device.follow(at: environment.instant())
        }
        if device.keybagUUID != before { try renewDigests() }
        // A metadata key of other class keys opens no row any more.
        if device.keySet != keySet { keyring = MetadataKeyring() }
        // A lock elsewhere ends proofs here, also when somebody has unlocked since.
        if device.epochCount != epochCount { endProofs() }
        closeUnavailable()
    }

    /// Metadata keys leave with their class keys, unless the profile keeps attributes readable:
    /// then they are fetched while they can be, and stay until the device restarts.
    mutating func closeUnavailable() {
        endProofsIfLocked()
        let keepsLocked =
            profiles.behavior.metadataReadableWhenLocked
            && device.state.lockState != .beforeFirstUnlock
        if keepsLocked {
            for protection in ProtectionClass.allCases where device.isAvailable(protection) {
                // A class without a metadata key has no attributes to keep readable.
                _ = try? metadataKey(openFor: protection)
            }
        }
        keyring.keep(openIn: device, orLocked: keepsLocked)
    }

    /// What was proven holds until the device is locked.
    private mutating func endProofsIfLocked() {
        let isUnlocked = device.state.lockState == .unlocked
        if wasUnlocked, !isUnlocked { endProofs() }
        wasUnlocked = isUnlocked
    }

    private mutating func endProofs() {
        lockCount &+= 1
        contexts = [:]
    }

    private mutating func metadataKey(
        openFor protection: ProtectionClass
    ) throws(KeychainError) -> MetadataKey? {
        try keyring.existingKey(of: protection, device: device, store: store)
    }

    /// Wipes class keys, metadata keys and proofs, for good.
    mutating func end() {
        hasEnded = true
        device.end()
        keyring = MetadataKeyring()
        endProofs()
    }

    /// After an erase: a new lookup key, and no metadata key that is still good.
    mutating func renewDigests() throws(KeychainError) {
        digests = try Self.digests(of: device)
        rowSums = try Self.rowSums(of: device)
        keyring = MetadataKeyring()
    }
}

extension EngineState {
    /// Hands over what applications are to be told, once.
    mutating func takeAnnouncements() -> [DeviceAnnouncement] {
        defer { announcements = [] }
        return announcements
    }
}

// One write at a time.
extension EngineState {
    /// Runs the body in one write transaction; an error of the body undoes it.
    mutating func inTransaction<R>(
        _ body: (inout EngineState) throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        try begin()
        var stored = keyring
        do throws(KeychainError) {
            // Another process may have changed keybag or session while this one waited.
            try refresh()
            try requireKeySet()
            stored = keyring
            let result = try body(&self)
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
