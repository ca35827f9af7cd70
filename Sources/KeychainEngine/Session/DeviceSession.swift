import Cryptography
import DataProtection
import KeychainModel
import Secrets

// Definitions  "proof": private keys that a right answer released; "context": an `LAContext`.
// Invariants   (1) Nothing here knows rows or a store: code that protects files with class keys
//                  needs the session and not the vault.
//              (2) After every call that may have locked, no context has a proof any more.
//              (3) What applications are to be told is collected here, and told with no lock held.

/// The device as this process has it open, with all that people have proven to it.
///
/// Whoever borrows it uses class keys; whoever has it `inout` may lock, unlock, prove or announce.
package struct DeviceSession: ~Copyable, Sendable {
    var device: Device
    /// What was proven for each context; empty after a lock.
    var contexts = KeptProofs()
    let contextEnds = ContextEnds()
    /// How often the device was locked.
    private(set) var lockCount: UInt64 = 0
    private var wasUnlocked = false
    /// What applications are to be told once the lock is free.
    private var announcements: [DeviceAnnouncement] = []
    /// What did not work beside the purpose of the calls so far.
    private var warnings: [KeychainError] = []
    let environment: EngineEnvironment
    let profiles: Profiles

    init(device: consuming Device, environment: EngineEnvironment, profiles: Profiles) {
        self.device = device
        self.environment = environment
        self.profiles = profiles
    }
}

/// What following the device has brought that rows were sealed with.
struct KeyChange {
    /// Another keybag, with another lookup key: the device was erased.
    let isOtherKeybag: Bool
    /// Other class keys: the passcode was set or changed.
    let isOtherKeySet: Bool
}

// Keeping in step with time and with other processes.
extension DeviceSession {
    /// Before every request: what time and other processes changed; a change of passcode that was
    /// allowed and goes on counts as use.
    mutating func follow(using allowed: AllowedChange? = nil) throws(KeychainError) -> KeyChange {
        let keybag = device.keybagUUID
        let keySet = device.keySet
        let epochCount = device.epochCount
        try change { device, now throws(DeviceError) in
            if let allowed { try device.noteUse(by: allowed, at: now) }
            return try device.follow(at: now)
        }
        // A lock elsewhere ends proofs here, also when somebody has unlocked since.
        if device.epochCount != epochCount { endProofs() }
        return KeyChange(
            isOtherKeybag: device.keybagUUID != keybag,
            isOtherKeySet: device.keySet != keySet
        )
    }

    /// Changes the device, notes what to announce, and ends the proofs that a lock ends.
    mutating func change(
        _ body: (inout Device, DeviceInstant) throws(DeviceError) -> [DeviceAnnouncement]
    ) throws(KeychainError) {
        let found = try attempt(body)
        announcements += found
    }

    /// The same for what has an answer of its own, such as an attempt at the passcode.
    mutating func attempt<R: ~Copyable>(
        _ body: (inout Device, DeviceInstant) throws(DeviceError) -> R
    ) throws(KeychainError) -> R {
        let now = environment.instant()
        defer { endProofsIfLocked() }
        let answer = try fromDevice(try body(&device, now))
        announcements += device.takeAnnouncements()
        return answer
    }

    /// What was proven holds until the device is locked.
    mutating func endProofsIfLocked() {
        let isUnlocked = device.state.lockState == .unlocked
        if wasUnlocked, !isUnlocked { endProofs() }
        wasUnlocked = isUnlocked
    }

    private mutating func endProofs() {
        lockCount &+= 1
        contexts = KeptProofs()
    }

    /// Wipes class keys and proofs, for good.
    mutating func end() {
        device.end()
        endProofs()
    }

    /// Whether neither time nor other processes changed anything since it was followed last.
    func isCurrent() -> Bool {
        announcements.isEmpty && device.state.evictionDeadline == nil && device.isUnchanged
            && !device.hasDueLockAction(at: environment.instant())
    }
}

// What leaves with the reply to a call, or after it.
extension DeviceSession {
    /// Hands over what applications are to be told, once.
    mutating func takeAnnouncements() -> [DeviceAnnouncement] {
        defer { announcements = [] }
        return announcements
    }

    /// Notes what did not work beside the purpose of a call.
    mutating func warn(_ warning: KeychainError) { warnings.append(warning) }

    /// Hands over what did not work beside the purpose of the calls so far, once.
    mutating func takeWarnings() -> [KeychainError] {
        defer { warnings = [] }
        return warnings + device.takeWarnings().map(KeychainError.init)
    }
}

// What a person does with the device, as far as no row is touched.
extension DeviceSession {
    /// Locks: the keys of this process first, then for the others.
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
    /// - Returns: What its passcode has to be stretched with; nil without one, when nothing is
    ///   locked.
    mutating func beginUnlock(
        in surroundings: Surroundings
    ) throws(KeychainError) -> CountedAttempt? {
        try adoptEnrolments(of: surroundings)
        return try attempt { device, now throws(DeviceError) in try device.beginUnlock(at: now) }
    }

    /// Makes an attempt to unlock.
    ///
    /// - Returns: Another attempt, if there is another passcode by now; else nil.
    mutating func finishUnlock(
        with passcode: StretchedPasscode
    ) throws(KeychainError) -> CountedAttempt? {
        try attempt { device, now throws(DeviceError) in
            try device.finishUnlock(with: passcode, at: now)
        }
    }

    /// Learns which fingers a reader knows, before the passcode leaves a token for them.
    func adoptEnrolments(of surroundings: Surroundings) throws(KeychainError) {
        guard surroundings.biometry != .none else { return }
        try fromDevice(try surroundings.adopt(by: device))
    }

    /// What is known about wrong passcodes.
    func attemptStatus() throws(KeychainError) -> AttemptStatus {
        let now = environment.instant()
        return try fromDevice(try device.attemptStatus(at: now))
    }
}

// Keys.
extension DeviceSession {
    var cipher: ItemCipher { ItemCipher(random: environment.random) }

    /// Lends a class key for the length of one call.
    ///
    /// - Throws: `errSecInteractionNotAllowed` while the class is closed; what the body throws.
    func withClassKey<R: ~Copyable>(
        _ protection: ProtectionClass,
        _ body: (borrowing ClassKey) throws(CryptographyError) -> R
    ) throws(KeychainError) -> R {
        try fromDevice(try device.withClassKey(protection, body))
    }

    /// Refuses a class whose key is not in memory.
    func requireOpen(_ protection: ProtectionClass) throws(KeychainError) {
        if let error = device.unavailability(of: protection) { throw KeychainError(error) }
    }
}
