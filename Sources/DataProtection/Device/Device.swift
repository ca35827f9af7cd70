// Definitions  "owner": the code that guards the device with a mutex and posts its announcements.
//              "reload": reading the keybag again because another process replaced it.
// Invariants   (1) `state` and the open class keys agree whenever no call is running.
//              (2) Files change only under the storage's exclusive lock, after a reload. If the
//                  lock cannot be had, the record of a lock is written without it.
//              (3) A file is durable before memory follows it.
//              (4) Announcements are returned in order and none is lost: those of a call that
//                  throws are returned by the next one that does not.

import Cryptography
import KeychainModel
import Secrets

/// A device: a keybag, a lock state, and the files and secure element behind them.
///
/// Time and randomness are parameters. Every call that changes time or state returns its
/// announcements to applications.
package struct Device: ~Copyable, Sendable {
    /// The state of the lock state machine.
    package internal(set) var state: DeviceState

    var keybag: Keybag
    /// The token from the first unlock to the restart; nil without a passcode.
    var unlockToken: UnlockToken?
    /// The moment of the last unlock with a face or finger.
    var lastMatch: DeviceInstant?
    var stamp: StorageStamp?
    /// The lock epoch that this process last read; nil if none can be recorded.
    var epoch: LockEpoch? {
        didSet { if !LockEpoch.isSame(oldValue, epoch) { epochCount &+= 1 } }
    }
    /// The number of lock epochs that this process has seen.
    ///
    /// The record's own number starts over after the record was damaged.
    package private(set) var epochCount: UInt64 = 0
    /// Whether this process has taken over the session that is shared in the epoch.
    var isEpochFollowed = false
    /// The name of the session image that this process took over or wrote.
    var imageName: String?
    var pending: [DeviceAnnouncement] = []
    /// Faults outside the purpose of the calls so far.
    var warnings: [DeviceWarning] = []
    /// The cause of each lock since the last `takeLockCauses`.
    var lockCauses: [LockCause] = []
    /// The times that the lock settings are compared with.
    var unlockTimes: UnlockTimes
    /// Whether a call counts as use, which postpones locking by idle time.
    package var countsUse = true
    /// Converts seconds of the wall clock to local time, both since 1970.
    let localTime: @Sendable (Int64) -> Int64
    let tokenLifetime: UnlockToken.Lifetime
    /// The storage of shared sessions; nil for a device that does not share them.
    let sessions: (any SessionImageStorage)?
    /// The files, and the lock under which they change.
    package let storage: any DeviceStorage
    let element: any SecureElement
    let random: any RandomSource
    let stretchingCost: @Sendable () -> Argon2id.Cost

    /// Opens a device, or creates one if the storage has no keybag.
    ///
    /// Two processes that race create one device. A damaged device is neither repaired nor
    /// replaced.
    /// - Parameters:
    ///   - storage: The storage of the keybag.
    ///   - element: The device's secure element.
    ///   - passcode: The passcode of a new device; an existing one keeps its own.
    ///   - sessions: The storage in which the user's processes share a session; nil for none.
    ///   - tokenLifetime: The time for which a face or finger can replace the passcode.
    ///   - localTime: Converts seconds of the wall clock to local time, both since 1970.
    ///   - stretchingCost: Measures the cost of a guess whenever a passcode is set or changed.
    ///   - random: The source of keys.
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
                // No keybag is created in the place of a keychain that has moved.
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
    /// Whether a passcode is set.
    package var isPasscodeSet: Bool { keybag.isPasscodeSet }

    /// Whether the keys of the classes for "while unlocked" are in memory (ACC-31).
    package var isProtectedDataAvailable: Bool { state.isProtectedDataAvailable }

    /// 16 bytes that name the keybag; a factory reset creates new ones.
    package var keybagUUID: [UInt8] { keybag.uuid }

    /// 16 bytes that name the class keys; a change of passcode creates new ones.
    package var keySet: [UInt8] { keybag.keySet }

    /// The kind of the secure element that guards the UID key, such as `software`.
    package var elementKind: String { element.kind }

    /// Returns the password of a backup that only this device can restore: 32 derived bytes.
    ///
    /// - Throws: The errors of the element.
    /// - Source: Documentation/Spec/backup.md §1.
    package func backupPassword() throws(DeviceError) -> Secret {
        try element.tangle(salt: keybagUUID, context: "device backup password")
    }

    /// Whether the class's key is in memory.
    package func isAvailable(_ protectionClass: ProtectionClass) -> Bool {
        keybag.isAvailable(protectionClass)
    }

    /// Returns `locked` or `noSuchClass` for a class whose key cannot be used; otherwise `nil`.
    package func unavailability(of protectionClass: ProtectionClass) -> DeviceError? {
        keybag.unavailability(of: protectionClass)
    }

    /// Lends a class key for the duration of one call.
    ///
    /// - Throws: `locked`, `noSuchClass`, or `cryptography` with the error of `body`.
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
    ///   - unavailable: Converts `locked` or `noSuchClass` to such an error.
    ///   - body: The work.
    /// - Returns: The result of `body`.
    /// - Throws: The result of `unavailable`, or the error of `body`.
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
    /// Lets time pass: the end of a grace period evicts keys.
    package mutating func advance(to now: DeviceInstant) -> [DeviceAnnouncement] {
        apply(.timePassed, at: now)
        return takeAnnouncements()
    }

    /// Locks; the keys for "while unlocked" are wiped after the grace period, if there is one.
    ///
    /// Without a grace period, this process's keys are wiped first, in any case. Without
    /// a passcode nothing happens.
    /// - Throws: `storage` if the lock cannot be made to apply to other processes.
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
            // A process that holds the lock, or blocks the directory, does not prevent locking.
            try beginEpoch(at: now, locking: true)
        }
        return takeAnnouncements()
    }

    /// Restarts the device: the passcode is needed again, and a running delay starts over.
    ///
    /// - Parameter now: A moment of the new boot.
    /// - Returns: The announcements to applications.
    /// - Throws: The errors of storage and element; the class keys are evicted all the same.
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

    /// Resets to factory state: destroys keybag and UID key, and creates new ones without a
    /// passcode.
    ///
    /// Everything sealed before is lost permanently. The keybag is destroyed first: after a crash
    /// between the steps, the device opens as a new one.
    /// - Throws: The errors of storage, element and randomness; the device then has to be opened
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
    /// Wipes every class key and proof, because the process ends.
    package mutating func end() {
        keybag.evictEverything()
        unlockToken = nil
        lastMatch = nil
    }

    /// Returns the warnings, and empties the list.
    package mutating func takeWarnings() -> [DeviceWarning] {
        defer { warnings = [] }
        return warnings
    }

    /// Returns the announcements, and empties the list.
    package mutating func takeAnnouncements() -> [DeviceAnnouncement] {
        defer { pending = [] }
        return pending
    }

    /// Reads the keybag file again if it was replaced; the caller holds the exclusive lock.
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
