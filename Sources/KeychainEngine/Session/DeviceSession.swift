import Cryptography
import DataProtection
import KeychainModel
import Secrets

// Definitions  "proof": private keys that a right answer released; "context": an `LAContext`.
// Invariants   (1) The session knows neither rows nor a store: code that protects files with class
//                  keys needs the session, but not the vault.
//              (2) After every call that may have locked the device, no context has a proof.
//              (3) Announcements to applications are collected here, and sent without a lock held.

/// The device as this process has opened it, with the proofs of its contexts.
///
/// A borrower uses class keys. A caller with `inout` access may lock, unlock, prove or announce.
package struct DeviceSession: ~Copyable, Sendable {
    var device: Device
    /// The proofs of each context; empty after a lock.
    var contexts = KeptProofs()
    let contextEnds = ContextEnds()
    /// The number of times the device was locked.
    private(set) var lockCount: UInt64 = 0
    private var wasUnlocked = false
    /// Announcements to applications, sent once the lock is free.
    private var announcements: [DeviceAnnouncement] = []
    /// Faults outside the purpose of the calls so far.
    private var warnings: [KeychainError] = []
    let environment: EngineEnvironment
    let profiles: Profiles

    init(device: consuming Device, environment: EngineEnvironment, profiles: Profiles) {
        self.device = device
        self.environment = environment
        self.profiles = profiles
    }
}

/// The changes of keys that the session found when it followed the device.
struct KeyChange {
    /// Whether the keybag, and with it the lookup key, is another one: the device was erased.
    let isOtherKeybag: Bool
    /// Whether the class keys are others: the passcode was set, changed or removed.
    let isOtherKeySet: Bool
}

// Following time and other processes.
extension DeviceSession {
    /// Applies the changes that time and other processes made; called before every request.
    ///
    /// An authorized change of passcode that continues counts as use.
    mutating func follow(using allowed: AllowedChange? = nil) throws(KeychainError) -> KeyChange {
        let keybag = device.keybagUUID
        let keySet = device.keySet
        let epochCount = device.epochCount
        try change { device, now throws(DeviceError) in
            if let allowed { try device.noteUse(by: allowed, at: now) }
            return try device.follow(at: now)
        }
        // A lock by another process ends the proofs here, even after a later unlock.
        if device.epochCount != epochCount { endProofs() }
        return KeyChange(
            isOtherKeybag: device.keybagUUID != keybag,
            isOtherKeySet: device.keySet != keySet
        )
    }

    /// Changes the device, collects announcements, and ends proofs if the device locked.
    mutating func change(
        _ body: (inout Device, DeviceInstant) throws(DeviceError) -> [DeviceAnnouncement]
    ) throws(KeychainError) {
        let found = try attempt(body)
        announcements += found
    }

    /// Works like `change` for operations with a result, such as an attempt at the passcode.
    mutating func attempt<R: ~Copyable>(
        _ body: (inout Device, DeviceInstant) throws(DeviceError) -> R
    ) throws(KeychainError) -> R {
        let now = environment.instant()
        defer { endProofsIfLocked() }
        let answer = try fromDevice(try body(&device, now))
        announcements += device.takeAnnouncements()
        return answer
    }

    /// Ends all proofs once the device has become locked.
    mutating func endProofsIfLocked() {
        let isUnlocked = device.state.lockState == .unlocked
        if wasUnlocked, !isUnlocked { endProofs() }
        wasUnlocked = isUnlocked
    }

    private mutating func endProofs() {
        lockCount &+= 1
        contexts = KeptProofs()
    }

    /// Wipes class keys and proofs permanently.
    mutating func end() {
        device.end()
        endProofs()
    }

    /// Whether neither time nor other processes have changed anything since `follow`.
    func isCurrent() -> Bool {
        announcements.isEmpty && device.state.evictionDeadline == nil && device.isUnchanged
            && !device.hasDueLockAction(at: environment.instant())
    }
}

// Announcements and warnings, which leave with the reply to a call or after it.
extension DeviceSession {
    /// Returns the announcements to applications, once.
    mutating func takeAnnouncements() -> [DeviceAnnouncement] {
        defer { announcements = [] }
        return announcements
    }

    /// Records a fault outside the purpose of a call.
    mutating func warn(_ warning: KeychainError) { warnings.append(warning) }

    /// Returns the faults outside the purpose of the calls so far, once.
    mutating func takeWarnings() -> [KeychainError] {
        defer { warnings = [] }
        return warnings + device.takeWarnings().map(KeychainError.init)
    }
}

// The user's commands, as far as they touch no row.
extension DeviceSession {
    /// Locks: first this process's keys, then those of other processes.
    mutating func lock(grace: Duration) throws(KeychainError) {
        try change { device, now throws(DeviceError) in try device.lock(grace: grace, at: now) }
    }

    mutating func setLockSettings(_ settings: LockSettings) throws(KeychainError) {
        try change { device, now throws(DeviceError) in
            try device.setLockSettings(settings, at: now)
        }
    }

    /// Counts an attempt to unlock.
    ///
    /// - Returns: The attempt, for which the passcode has to be stretched; nil if no passcode is
    ///   set, so that nothing is locked.
    mutating func beginUnlock(
        in surroundings: Surroundings
    ) throws(KeychainError) -> CountedAttempt? {
        try adoptEnrolments(of: surroundings)
        return try attempt { device, now throws(DeviceError) in try device.beginUnlock(at: now) }
    }

    /// Makes an attempt to unlock.
    ///
    /// - Returns: Another attempt if the passcode changed meanwhile; otherwise nil.
    mutating func finishUnlock(
        with passcode: StretchedPasscode
    ) throws(KeychainError) -> CountedAttempt? {
        try attempt { device, now throws(DeviceError) in
            try device.finishUnlock(with: passcode, at: now)
        }
    }

    /// Adopts the fingers that a reader knows, before the passcode issues a token for them.
    func adoptEnrolments(of surroundings: Surroundings) throws(KeychainError) {
        guard surroundings.biometry != .none else { return }
        try fromDevice(try surroundings.adopt(by: device))
    }

    /// Returns the count of wrong passcodes and the delay that follows them.
    func attemptStatus() throws(KeychainError) -> AttemptStatus {
        let now = environment.instant()
        return try fromDevice(try device.attemptStatus(at: now))
    }
}

// Class keys.
extension DeviceSession {
    var cipher: ItemCipher { ItemCipher(random: environment.random) }

    /// Lends a class key for the duration of one call.
    ///
    /// - Throws: `errSecInteractionNotAllowed` while the class is closed; the errors of `body`.
    func withClassKey<R: ~Copyable>(
        _ protection: ProtectionClass,
        _ body: (borrowing ClassKey) throws(CryptographyError) -> R
    ) throws(KeychainError) -> R {
        try fromDevice(try device.withClassKey(protection, body))
    }

    /// Throws for a class whose key is not in memory.
    func requireOpen(_ protection: ProtectionClass) throws(KeychainError) {
        if let error = device.unavailability(of: protection) { throw KeychainError(error) }
    }
}
