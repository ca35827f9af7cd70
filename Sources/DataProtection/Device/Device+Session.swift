import KeychainModel
import Secrets

// Following other processes of the user that lock, unlock or change the passcode.
extension Device {
    /// Whether the keybag file and the lock epoch are the ones that this process last read.
    ///
    /// A process that replaces the keybag also revises the epoch or begins a new one. So with a
    /// passcode it is enough to read the epoch, whose record alone reveals a lock. A device without
    /// a passcode cannot be locked, and setting one replaces the keybag.
    package var isUnchanged: Bool { isPasscodeSet ? isEpochCurrent : isKeybagSame }

    /// Applies the changes that other processes and time made.
    ///
    /// Open class keys stay while keybag and lock epoch stay. After another process has locked, the
    /// classes for "while unlocked" are evicted; after another has unlocked, they come back. After
    /// another has removed the passcode, the device is unlocked.
    /// - Throws: `damaged`, `missing`, `unsupportedVersion`, `storage`, `busy`, `cryptography`.
    package mutating func follow(
        at now: DeviceInstant
    ) throws(DeviceError) -> [DeviceAnnouncement] {
        let wasPending = state.evictionDeadline != nil
        apply(.timePassed, at: now)
        let hasDueAction = dueLockAction(at: now) != .nothing
        if !isKeybagSame || !isEpochCurrent {
            storage.reopen()
            do throws(DeviceError) {
                try storage.withExclusiveLock { () throws(DeviceError) in
                    try reload(at: now)
                    try followEpoch(at: now)
                    performDueLockAction(at: now)
                }
            } catch {
                // The change may have been a lock. The next call takes over a session that still
                // exists.
                apply(.lock(grace: .zero), because: .unreadable, at: now)
                isEpochFollowed = false
                throw error
            }
        } else if hasDueAction {
            try followDueLockAction(at: now)
        } else if wasPending, state.evictionDeadline == nil {
            // The grace period is over, so the image with its keys has to go, too.
            try storage.withExclusiveLock { () throws(DeviceError) in renewEpoch(at: now) }
        }
        return takeAnnouncements()
    }

    /// Whether the keybag is the one last read; false if that cannot be determined.
    var isKeybagSame: Bool {
        guard let found = try? Self.stamp(in: storage) else { return false }
        return found == stamp
    }

    /// Locks if time, day or sleep requires it; otherwise records the use.
    ///
    /// It locks even if another process holds the storage's lock.
    private mutating func followDueLockAction(at now: DeviceInstant) throws(DeviceError) {
        do throws(DeviceError) {
            try storage.withExclusiveLock { () throws(DeviceError) in
                // Another process may have used the device since the epoch was read.
                if !isEpochCurrent {
                    try reload(at: now)
                    try followEpoch(at: now)
                }
                performDueLockAction(at: now)
            }
        } catch {
            guard dueLockAction(at: now) == .lock else { return }
            performDueLockAction(at: now)
        }
    }

    /// Reads the lock epoch, and the image that other processes share in it.
    mutating func followEpoch(at now: DeviceInstant) throws(DeviceError) {
        let hadImage = imageName != nil
        let known = epoch
        epoch = try Self.presentEpoch(in: storage, random: random, at: now)
        if let epoch { unlockTimes = epoch.unlockTimes }
        var isSame = false
        if let known, let epoch { isSame = known.isSame(as: epoch) }
        if !isSame { lastMatch = nil }
        guard isPasscodeSet else {
            isEpochFollowed = true
            return
        }
        imageName = nil
        let isAdopted = try adoptSharedImage(at: now)
        isEpochFollowed = true
        guard !isAdopted, !isSame || hadImage else { return }
        // Another process has locked, or ended the session, and shares nothing.
        apply(.lock(grace: .zero), because: .elsewhere, at: now)
    }

    private mutating func adoptSharedImage(at now: DeviceInstant) throws(DeviceError) -> Bool {
        guard let sessions, let epoch else { return false }
        let name = try epoch.sessionName(of: keybagUUID)
        let nonce = epoch.nonce
        guard let image = try? sessions.read(name) else { return false }
        guard try adopt(sessionImage: image, in: nonce, at: now) else { return false }
        imageName = name
        return true
    }

    /// Takes over the session of another process.
    ///
    /// - Returns: False, without a change, for a damaged image, or one of another epoch, boot or
    ///   keybag.
    /// - Throws: The errors of the element, or `cryptography`.
    mutating func adopt(
        sessionImage: [UInt8],
        in nonce: SharedSecret,
        at now: DeviceInstant
    ) throws(DeviceError) -> Bool {
        let adopted: (deadline: Duration?, proofKeys: [Factor: SharedSecret])
        do throws(DeviceError) {
            adopted = try keybag.adopt(sessionImage: sessionImage, in: nonce, bootID: now.bootID)
        } catch .sessionUnusable {
            return false
        }
        let deadline = adopted.deadline.map { DeviceInstant(bootID: now.bootID, uptime: $0) }
        apply(.sessionResumed(sessionLockState(deadline), evictionDeadline: deadline), at: now)
        apply(.timePassed, at: now)
        if !adopted.proofKeys.isEmpty { try keepToken(releasing: adopted.proofKeys) }
        return true
    }

    /// Returns the lock state that matches the open class keys.
    private func sessionLockState(_ deadline: DeviceInstant?) -> LockState {
        if keybag.isAvailable(.whenUnlocked) { return deadline == nil ? .unlocked : .locked }
        return keybag.isAvailable(.afterFirstUnlock) ? .locked : .beforeFirstUnlock
    }
}
