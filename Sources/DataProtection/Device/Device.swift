// Definitions  "owner": whoever holds the device under a mutex and posts its announcements.
//              "reload": reading the keybag again because another process replaced it.
// Invariants   (1) `state` and the open class keys agree whenever no call is running.
//              (2) Files change only under the storage's exclusive lock, after a reload; the
//                  record of a lock is written without it where it cannot be had.
//              (3) A file is durable before memory follows it.
//              (4) Announcements are returned in order and none is lost: those of a call that
//                  throws are returned by the next one that does not.

import Cryptography
import KeychainModel
import Secrets

/// A device: a keybag, a lock state, and the files and secure element behind them.
///
/// Time and randomness come from outside. Every call that moves time or state returns what
/// applications are to be told.
package struct Device: ~Copyable, Sendable {
    /// The lock state as the state machine sees it.
    package internal(set) var state: DeviceState

    var keybag: Keybag
    /// Present from the first unlock to the restart, and while there is a passcode.
    var unlockToken: UnlockToken?
    /// When a face or finger last unlocked the device.
    var lastMatch: DeviceInstant?
    var stamp: StorageStamp?
    /// The lock epoch as this process last saw it; nil where none can be recorded.
    var epoch: LockEpoch? {
        didSet { if !LockEpoch.isSame(oldValue, epoch) { epochCount &+= 1 } }
    }
    /// Counts the lock epochs that this process has met: the record's own number starts over with
    /// a record that was damaged.
    package private(set) var epochCount: UInt64 = 0
    /// Whether this process has taken over what is shared in the epoch.
    var isEpochFollowed = false
    /// The session image that this process took over or wrote.
    var imageName: String?
    var pending: [DeviceAnnouncement] = []
    /// What did not work beside the purpose of the calls so far.
    var warnings: [DeviceWarning] = []
    /// Why it was locked, each time, since somebody asked.
    var lockCauses: [LockCause] = []
    /// What lock settings are held against.
    var unlockTimes: UnlockTimes
    /// Whether a call counts as use, which puts off locking by idle time.
    package var countsUse = true
    /// Local time by the wall clock's seconds, both since 1970.
    let localTime: @Sendable (Int64) -> Int64
    let tokenLifetime: UnlockToken.Lifetime
    /// nil for a device whose sessions are not shared.
    let sessions: (any SessionImageStorage)?
    /// The files, and the lock under which they change.
    package let storage: any DeviceStorage
    let element: any SecureElement
    let random: any RandomSource
    let stretchingCost: @Sendable () -> Argon2id.Cost

    /// Opens a device, or makes one if the storage has no keybag.
    ///
    /// Two processes that race make one device. A damaged device is neither repaired nor replaced.
    /// - Parameters:
    ///   - storage: Where the keybag is.
    ///   - element: The device's secure element.
    ///   - passcode: The passcode of a device that has to be made; an existing one keeps its own.
    ///   - sessions: Where the user's processes share a session; nil for nowhere.
    ///   - tokenLifetime: How long a face or finger can stand in for the passcode.
    ///   - localTime: Turns the wall clock's seconds into local ones, both since 1970.
    ///   - stretchingCost: Measures what a guess costs, whenever a passcode is set or changed.
    ///   - random: Where keys come from.
    ///   - now: The current moment.
    /// - Throws: `damaged`, `unsupportedVersion`, `missing`, `storage`, `busy`, `cryptography`;
    ///   `emptyPasscode`.
    package init(
        opening storage: any DeviceStorage,
        element: any SecureElement,
        creatingWith passcode: SharedSecret? = nil,
        sessions: (any SessionImageStorage)? = nil,
        tokenLifetime: UnlockToken.Lifetime = .untilLock,
        localTime: @escaping @Sendable (Int64) -> Int64 = { $0 },
        stretchingCost: @escaping @Sendable () -> Argon2id.Cost,
        random: any RandomSource,
        at now: DeviceInstant
    ) throws(DeviceError) {
        var opened: Keybag?
        var stamp: StorageStamp?
        var epoch: LockEpoch?
        var leftover: DeviceWarning?
        try storage.withExclusiveLock { () throws(DeviceError) in
            leftover = Self.discardReplacements(in: storage)
            opened = try Self.load(.keybag, storage, element: element)
            if opened == nil {
                // Nothing is made in the place of a keychain that has moved.
                if Self.isMoved(storage) { throw .moved(path: storage.path(of: .keybag)) }
                try element.prepare()
                opened = try Self.makeKeybag(
                    in: storage,
                    element: element,
                    passcode: passcode,
                    cost: stretchingCost,
                    random: random
                )
            }
            stamp = try Self.stamp(in: storage)
            try Self.startDelayOver(element: element, at: now)
            epoch = try Self.presentEpoch(in: storage, random: random, at: now)
        }
        guard let keybag = opened.take() else {
            throw .missing(path: storage.path(of: .keybag))
        }
        self.state = DeviceState(isPasscodeSet: keybag.isPasscodeSet)
        self.keybag = keybag
        self.stamp = stamp
        self.unlockTimes = epoch?.unlockTimes ?? UnlockTimes(at: now, localMinute: 0)
        self.epoch = epoch.take()
        self.localTime = localTime
        self.sessions = sessions
        self.tokenLifetime = tokenLifetime
        self.storage = storage
        self.element = element
        self.random = random
        self.stretchingCost = stretchingCost
        if let leftover { warnings = [leftover] }
    }
}

extension Device {
    /// Whether there is a passcode to lock with.
    package var isPasscodeSet: Bool { keybag.isPasscodeSet }

    /// Whether the keys of the classes for "while unlocked" are in memory (ACC-31).
    package var isProtectedDataAvailable: Bool { state.isProtectedDataAvailable }

    /// 16 bytes that name the keybag; a factory reset makes new ones.
    package var keybagUUID: [UInt8] { keybag.uuid }

    /// 16 bytes that name the class keys; a change of passcode makes new ones.
    package var keySet: [UInt8] { keybag.keySet }

    /// What guards the UID key, such as `software`.
    package var elementKind: String { element.kind }

    /// The password of a backup that this device alone restores: 32 bytes that only it can derive.
    ///
    /// - Throws: What the element throws.
    /// - Source: Documentation/Spec/backup.md §1.
    package func backupPassword() throws(DeviceError) -> Secret {
        try element.tangle(salt: keybagUUID, context: "device backup password")
    }

    /// Tells whether a class's key is in memory.
    package func isAvailable(_ protectionClass: ProtectionClass) -> Bool {
        keybag.isAvailable(protectionClass)
    }

    /// Why a class's key cannot be used, `locked` or `noSuchClass`; `nil` if it can.
    package func unavailability(of protectionClass: ProtectionClass) -> DeviceError? {
        keybag.unavailability(of: protectionClass)
    }

    /// Lends a class key for the length of one call.
    ///
    /// - Throws: `locked`, `noSuchClass`, or `cryptography` with the body's error.
    package borrowing func withClassKey<R: ~Copyable>(
        _ protectionClass: ProtectionClass,
        _ body: (borrowing ClassKey) throws(CryptographyError) -> R
    ) throws(DeviceError) -> R {
        try keybag.withClassKey(protectionClass, body)
    }

    /// Lends a class key to a body with errors of its own.
    ///
    /// - Parameters:
    ///   - protectionClass: The class.
    ///   - unavailable: Makes such an error from `locked` or `noSuchClass`.
    ///   - body: The work.
    /// - Returns: What the body returns.
    /// - Throws: What `unavailable` makes or the body throws.
    package borrowing func withClassKey<R: ~Copyable, E>(
        _ protectionClass: ProtectionClass,
        else unavailable: (DeviceError) -> E,
        _ body: (borrowing ClassKey) throws(E) -> R
    ) throws(E) -> R {
        try keybag.withClassKey(protectionClass, else: unavailable, body)
    }

    /// Lends the 32-byte key of the lookup digests, which is open in every lock state.
    package borrowing func withLookupKey<R: ~Copyable, E>(
        _ body: (borrowing Secret) throws(E) -> R
    ) throws(E) -> R {
        try keybag.withLookupKey(body)
    }
}

extension Device {
    /// Lets time pass: a grace period that is over ends with the eviction.
    package mutating func advance(to now: DeviceInstant) -> [DeviceAnnouncement] {
        apply(.timePassed, at: now)
        return takeAnnouncements()
    }

    /// Locks; the keys for "while unlocked" go after the grace period, or at once without one.
    ///
    /// This process's keys are gone first, whatever happens then. Without a passcode nothing
    /// happens.
    /// - Throws: `storage` if the lock cannot be made to hold for the other processes.
    package mutating func lock(
        grace: Duration = .zero,
        at now: DeviceInstant
    ) throws(DeviceError) -> [DeviceAnnouncement] {
        apply(.timePassed, at: now)
        apply(.lock(grace: grace), at: now)
        guard isPasscodeSet else { return takeAnnouncements() }
        do throws(DeviceError) {
            try storage.withExclusiveLock { () throws(DeviceError) in
                try beginEpoch(at: now, locking: true)
            }
        } catch {
            // Whoever keeps the lock, or the directory from being opened, does not keep it open.
            try beginEpoch(at: now, locking: true)
        }
        return takeAnnouncements()
    }

    /// Starts the device anew: the passcode has to be entered, and a running delay starts over.
    ///
    /// - Parameter now: A moment of the new boot.
    /// - Returns: What to announce.
    /// - Throws: What the storage and the element throw; the class keys are evicted all the same.
    package mutating func reboot(at now: DeviceInstant) throws(DeviceError) -> [DeviceAnnouncement]
    {
        apply(.reboot, at: now)
        try storage.withExclusiveLock { () throws(DeviceError) in
            try reload(at: now)
            try Self.startDelayOver(element: element, at: now)
            renewEpoch(at: now)
        }
        return takeAnnouncements()
    }

    /// Resets to factory state: destroys keybag and UID key, and makes new ones, with no passcode.
    ///
    /// All that was sealed before is lost for good. The keybag goes first: after a crash between
    /// the steps the device opens as a new one.
    /// - Throws: What storage, element and randomness throw; if so, the device has to be opened
    ///   again.
    package mutating func erase(
        at now: DeviceInstant
    ) throws(DeviceError) -> [DeviceAnnouncement] {
        try storage.withExclusiveLock { () throws(DeviceError) in
            do throws(StorageError) {
                try storage.remove(.keybag)
            } catch {
                throw .storage(error)
            }
            keybag.evictGuarded()
            unlockToken = nil
            lastMatch = nil
            removeImages(except: nil)
            try element.erase()
            keybag = try Self.makeKeybag(
                in: storage,
                element: element,
                passcode: nil,
                cost: stretchingCost,
                random: random
            )
            stamp = try Self.stamp(in: storage)
            apply(.passcodeRemoved, at: now)
            renewEpoch(at: now)
        }
        return takeAnnouncements()
    }
}

extension Device {
    /// Wipes every class key and proof: the process ends, and nothing is to open any more.
    package mutating func end() {
        keybag.evictEverything()
        unlockToken = nil
        lastMatch = nil
    }

    /// Empties the list of warnings.
    package mutating func takeWarnings() -> [DeviceWarning] {
        defer { warnings = [] }
        return warnings
    }

    /// Empties the list of announcements.
    package mutating func takeAnnouncements() -> [DeviceAnnouncement] {
        defer { pending = [] }
        return pending
    }

    /// Follows the keybag file if it is another one than last time; under the exclusive lock.
    mutating func reload(at now: DeviceInstant) throws(DeviceError) {
        let found = try Self.stamp(in: storage)
        guard found != stamp else { return }
        var opened = try Self.load(.keybag, storage, element: element)
        guard var next = opened.take() else { throw Self.absence(in: storage) }
        let isSameEpoch = next.inheritGuardedKeys(from: &keybag)
        keybag = next
        stamp = found
        if !isSameEpoch { unlockToken = nil }
        if !keybag.isPasscodeSet {
            apply(.passcodeRemoved, at: now)
        } else if !isSameEpoch {
            apply(.passcodeSet, at: now)
            apply(.reboot, because: .passcodeChanged, at: now)
        }
    }

    static func load(
        _ file: DeviceFile,
        _ storage: any DeviceStorage,
        element: any SecureElement
    ) throws(DeviceError) -> Keybag? {
        let bytes = try rethrow(as: DeviceError.storage) { () throws(StorageError) in
            try storage.read(file)
        }
        guard let bytes else { return nil }
        return try Keybag(decoding: bytes, path: storage.path(of: file), element: element)
    }

    static func stamp(in storage: any DeviceStorage) throws(DeviceError) -> StorageStamp? {
        try rethrow(as: DeviceError.storage) { () throws(StorageError) in
            try storage.stamp(of: .keybag)
        }
    }

    static func save(
        _ bytes: [UInt8],
        as file: DeviceFile = .keybag,
        in storage: any DeviceStorage
    ) throws(DeviceError) {
        try rethrow(as: DeviceError.storage) { () throws(StorageError) in
            try storage.replace(file, with: bytes)
        }
    }

    private static func makeKeybag(
        in storage: any DeviceStorage,
        element: any SecureElement,
        passcode: SharedSecret?,
        cost: () -> Argon2id.Cost,
        random: any RandomSource
    ) throws(DeviceError) -> Keybag {
        var keybag = try Keybag(
            creatingWith: element,
            random: random,
            path: storage.path(of: .keybag)
        )
        if let passcode {
            let noFile = { (_: [UInt8]) throws(DeviceError) in }
            try keybag.setPasscode(
                passcode.secret,
                proofKeys: nil,
                cost: cost(),
                random: random,
                saving: noFile
            )
            keybag.evictGuarded()
        }
        try save(try keybag.encoded(), in: storage)
        return keybag
    }

    private static func startDelayOver(
        element: any SecureElement,
        at now: DeviceInstant
    ) throws(DeviceError) {
        if let restarted = try element.attempts().startingDelayOver(at: now) {
            try element.recordAttempts(restarted)
        }
    }
}
