import Cryptography
import KeychainModel
import Secrets

/// The number of wrong passcodes, and the delay that follows from it.
package struct AttemptStatus: Sendable, Equatable {
    /// The number of wrong passcodes since the last right one.
    package let failures: UInt32

    /// The time to wait before the next attempt; zero if there is none.
    package let delayRemaining: Duration
}

extension Device {
    /// Opens every class and unlocks, and cancels a running grace period.
    ///
    /// Without a passcode it does nothing.
    /// - Throws: `wrongPasscode`, `delayed`, `busy`, `storage`, `damaged`, `missing`,
    ///   `unsupportedVersion` or `cryptography`; the lock state stays.
    package mutating func unlock(
        passcode: borrowing Secret,
        at now: DeviceInstant
    ) throws(DeviceError) -> [DeviceAnnouncement] {
        var next = try beginUnlock(at: now)
        while let attempt = next {
            next = try finishUnlock(with: try attempt.stretch(passcode), at: now)
        }
        return takeAnnouncements()
    }

    /// Verifies a passcode: it counts like an attempt to unlock, but the lock state stays.
    ///
    /// - Throws: `passcodeNotSet`, or as `unlock`.
    package mutating func verify(
        passcode: borrowing Secret,
        at now: DeviceInstant
    ) throws(DeviceError) -> [DeviceAnnouncement] {
        apply(.timePassed, at: now)
        try storage.withExclusiveLock { () throws(DeviceError) in
            try reload(at: now)
            guard let attempt = try begin(at: now) else { throw DeviceError.passcodeNotSet }
            let stretched = try attempt.stretch(passcode)
            guard try keybag.verify(stretched) else { throw Self.refusal(attempt.counted) }
            try forgiveFailures()
        }
        return takeAnnouncements()
    }

    /// Creates the keybag of a new passcode, without any effect yet.
    ///
    /// The current passcode is tried like an unlock, and unlocks the device if it is right. The
    /// cost of a guess is measured again, so that it keeps up with the machine.
    /// - Parameters:
    ///   - new: The new passcode, of at least 1 byte.
    ///   - current: The present passcode; ignored if none is set.
    ///   - now: The current moment.
    /// - Returns: The new keybag.
    /// - Throws: `emptyPasscode`, `passcodeRequired`, or as `unlock`; the passcode stays.
    package mutating func prepareSuccessor(
        _ new: borrowing Secret,
        current: SharedSecret?,
        at now: DeviceInstant
    ) throws(DeviceError) -> KeybagSuccessor {
        guard new.byteCount > 0 else { throw .emptyPasscode }
        while true {
            var attempt = try beginChange(isCurrentGiven: current != nil, at: now)
            var allowed: AllowedChange?
            while allowed == nil {
                var stretched: StretchedPasscode?
                if let attempt, let current { stretched = try attempt.stretch(current.secret) }
                switch try allowChange(stretched, at: now) {
                case .allowed(let change): allowed = change
                case .again(let another): attempt = another
                }
            }
            guard let allowed else { continue }
            let made = try NewPasscode(stretching: new, cost: stretchingCost(), random: random)
            if let next = try prepareSuccessor(made, allowed, at: now) { return next }
        }
    }

    /// Makes a new keybag's file durable under another name; the caller holds the exclusive lock.
    ///
    /// The caller then commits the rows that were rewrapped under the new keys, with the name of
    /// those keys. That commit decides for the new keybag: `promote` follows or, after a crash,
    /// `adoptSuccessor`.
    /// - Throws: `busy` if another process has replaced the keybag meanwhile, or `storage`.
    package mutating func stage(_ successor: borrowing KeybagSuccessor) throws(DeviceError) {
        guard try Self.stamp(in: storage) == stamp else {
            throw .busy(path: storage.path(of: .keybag))
        }
        // The first passcode has no attempts yet, so earlier failures do not count for it.
        if !isPasscodeSet, try element.attempts() != PasscodeAttempts.none { try forgiveFailures() }
        try Self.save(successor.bytes, as: .nextKeybag, in: storage)
    }

    /// Puts a staged keybag into force; the caller holds the storage's exclusive lock.
    ///
    /// The database already names its keys, so it is in force in any case. A file that keeps its
    /// temporary name, or a session that is not shared, is only a warning.
    package mutating func promote(
        _ successor: consuming KeybagSuccessor,
        at now: DeviceInstant
    ) {
        let wasLockedMeanwhile = isPasscodeSet && !isEpochCurrent
        do throws(StorageError) {
            try storage.rename(.nextKeybag, to: .keybag)
        } catch {
            warnings.append(.keybagNotRenamed(error))
        }
        // Without a stamp, the next call reads the file again.
        stamp = (try? Self.stamp(in: storage)) ?? nil
        let released = successor.proofKeys
        keybag.succeed(with: successor)
        apply(.passcodeSet, at: now)
        // The change stands, and so does a lock that came while the rows were rewrapped.
        if wasLockedMeanwhile {
            apply(.lock(grace: .zero), because: .elsewhere, at: now)
            keybag.evictWhenUnlocked()
        }
        keepTokenIfPossible(releasing: released)
        renewEpoch(at: now)
    }

    /// Puts the keybag into force whose class keys the database names.
    ///
    /// This finishes an interrupted change of passcode if the database had adopted it, and undoes
    /// it if not.
    /// - Returns: Whether the keybag now in force has that name.
    package mutating func adoptSuccessor(
        named keySet: [UInt8],
        at now: DeviceInstant
    ) throws(DeviceError) -> Bool {
        guard keybag.keySet != keySet else { return true }
        try storage.withExclusiveLock { () throws(DeviceError) in
            try reload(at: now)
            guard keybag.keySet != keySet,
                let next = try Self.load(.nextKeybag, storage, element: element),
                next.keySet == keySet
            else { return }
            do throws(StorageError) {
                try storage.rename(.nextKeybag, to: .keybag)
            } catch { throw DeviceError.storage(error) }
            try reload(at: now)
            renewEpoch(at: now)
        }
        return keybag.keySet == keySet
    }

    /// Removes the file of a new keybag that never came into force.
    ///
    /// - Parameter isUnused: Whether the database names the class keys of the present keybag;
    ///   called while no process can put a new keybag into force.
    /// - Throws: The errors of the storage; the file stays.
    package func discardSuccessor(
        if isUnused: () throws(DeviceError) -> Bool
    ) throws(DeviceError) {
        guard try hasSuccessor() else { return }
        try storage.withExclusiveLock { () throws(DeviceError) in
            guard try isUnused() else { return }
            do throws(StorageError) {
                try storage.remove(.nextKeybag)
            } catch { throw DeviceError.storage(error) }
        }
    }

    /// Removes temporary files that a crash left.
    ///
    /// One of them may be a keybag without a passcode, which would open everything.
    ///
    /// - Returns: A warning if a file stays, because a directory that is not writable still opens.
    static func discardReplacements(in storage: any DeviceStorage) -> DeviceWarning? {
        do throws(StorageError) { try storage.discardReplacements() } catch {
            return .replacementStays(error)
        }
        return nil
    }

    private func hasSuccessor() throws(DeviceError) -> Bool {
        do throws(StorageError) { return try storage.read(.nextKeybag) != nil } catch {
            throw .storage(error)
        }
    }

    /// Rewrites the keybag in the present format, which older programs refuse.
    package mutating func takeOverKeybag(at now: DeviceInstant) throws(DeviceError) {
        guard keybag.isEarlier else { return }
        try storage.withExclusiveLock { () throws(DeviceError) in
            try reload(at: now)
            // The keychain may have been locked: only what is open in this epoch may be shared
            // below.
            if !isEpochCurrent { try followEpoch(at: now) }
            guard keybag.isEarlier else { return }
            let storage = self.storage
            try keybag.rewrite { bytes throws(DeviceError) in try Self.save(bytes, in: storage) }
            stamp = try Self.stamp(in: storage)
            shareSession(at: now)
        }
    }

    /// Sets or changes the passcode of a device without sealed data.
    ///
    /// - Returns: The announcements to applications.
    /// - Throws: As `prepareSuccessor` and `stage`; the passcode stays.
    package mutating func setPasscode(
        _ new: borrowing Secret,
        current: SharedSecret?,
        at now: DeviceInstant
    ) throws(DeviceError) -> [DeviceAnnouncement] {
        var next: KeybagSuccessor? = try prepareSuccessor(new, current: current, at: now)
        try storage.withExclusiveLock { () throws(DeviceError) in
            guard let made = next.take() else { return }
            try stage(made)
            promote(made, at: now)
        }
        return takeAnnouncements()
    }

    /// Removes the passcode, and with it the class key of all items that need one.
    ///
    /// The device is unlocked from then on.
    /// - Throws: `passcodeNotSet`, or as `unlock`; the passcode stays.
    package mutating func removePasscode(
        current: borrowing Secret,
        at now: DeviceInstant
    ) throws(DeviceError) -> [DeviceAnnouncement] {
        var next: CountedAttempt? = try beginProof(at: now)
        while let attempt = next {
            next = try removePasscode(with: try attempt.stretch(current), at: now)
        }
        return takeAnnouncements()
    }

    /// The cost of a guess of the present passcode; nil without one.
    package var guessCost: Argon2id.Cost? { keybag.record.passcode?.cost }

    /// Reads the attempt counter.
    ///
    /// - Throws: The errors of the element.
    package func attemptStatus(at now: DeviceInstant) throws(DeviceError) -> AttemptStatus {
        let attempts = try element.attempts()
        return AttemptStatus(
            failures: attempts.failures,
            delayRemaining: attempts.delayRemaining(at: now)
        )
    }
}
