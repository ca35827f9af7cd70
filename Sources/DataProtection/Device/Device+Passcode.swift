import Cryptography
import KeychainModel
import Secrets

/// What is known about wrong passcodes.
package struct AttemptStatus: Sendable, Equatable {
    /// Wrong passcodes since the last right one.
    package let failures: UInt32

    /// What is left to wait before the next attempt; zero for nothing.
    package let delayRemaining: Duration
}

extension Device {
    /// Opens every class and unlocks; a grace period that runs is cancelled.
    ///
    /// Without a passcode nothing happens.
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

    /// Checks a passcode like `unlock`, counting the attempt, but leaves the lock state alone.
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

    /// Makes the keybag of a new passcode, and nothing of it takes effect yet.
    ///
    /// The current passcode is tried like an unlock, and unlocks the device if it is right. The
    /// cost of a guess is measured anew, so that it keeps up with the machine.
    /// - Parameters:
    ///   - new: At least 1 byte.
    ///   - current: The present passcode; ignored if none is set.
    ///   - now: The current moment.
    /// - Returns: The keybag to come.
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

    /// Makes a successor's file durable, under another name; under the storage's exclusive lock.
    ///
    /// Whoever then makes durable what was wrapped under the new keys, with their name, has decided
    /// for the successor: `promote` follows, and after a crash `adoptSuccessor`.
    /// - Throws: `busy` if another process replaced the keybag meanwhile, or `storage`.
    package mutating func stage(_ successor: borrowing KeybagSuccessor) throws(DeviceError) {
        guard try Self.stamp(in: storage) == stamp else {
            throw .busy(path: storage.path(of: .keybag))
        }
        // Nobody has tried the first passcode yet, whatever was tried before it.
        if !isPasscodeSet, try element.attempts() != PasscodeAttempts.none { try forgiveFailures() }
        try Self.save(successor.bytes, as: .nextKeybag, in: storage)
    }

    /// Puts a staged successor in force; under the storage's exclusive lock.
    ///
    /// It is in force already, by what the database names: a file that keeps its name for now, or
    /// a session that is not shared, is a warning.
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
        // Where it cannot be had, the file is read again at the next call.
        stamp = (try? Self.stamp(in: storage)) ?? nil
        let released = successor.proofKeys
        keybag.succeed(with: successor)
        apply(.passcodeSet, at: now)
        // The change stands, and so does a lock that came while the rows were wrapped.
        if wasLockedMeanwhile {
            apply(.lock(grace: .zero), because: .elsewhere, at: now)
            keybag.evictWhenUnlocked()
        }
        keepTokenIfPossible(releasing: released)
        renewEpoch(at: now)
    }

    /// Settles which keybag is in force: the one whose class keys the database names.
    ///
    /// A change of passcode that was cut short is finished if the database took it over, and undone
    /// if not.
    /// - Returns: Whether the keybag in force now has that name.
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

    /// Removes the file of a successor that never took effect.
    ///
    /// - Parameter isUnused: Asked while no process can put a successor in force: whether the
    ///   database names the class keys of this keybag.
    /// - Throws: What the storage throws; the file stays.
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

    /// Removes what a crash left of files that were being replaced: a keybag without a passcode,
    /// which was not to be yet, opens everything.
    ///
    /// - Returns: Why something stays: a directory that cannot be written opens all the same.
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

    /// Writes the keybag in the present format, which programs of before refuse.
    package mutating func takeOverKeybag(at now: DeviceInstant) throws(DeviceError) {
        guard keybag.isEarlier else { return }
        try storage.withExclusiveLock { () throws(DeviceError) in
            try reload(at: now)
            // Somebody may have locked: what is shared below is what is open in this epoch.
            if !isEpochCurrent { try followEpoch(at: now) }
            guard keybag.isEarlier else { return }
            let storage = self.storage
            try keybag.rewrite { bytes throws(DeviceError) in try Self.save(bytes, in: storage) }
            stamp = try Self.stamp(in: storage)
            shareSession(at: now)
        }
    }

    /// Sets or changes the passcode of a device under which nothing is sealed.
    ///
    /// - Returns: What to announce.
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

    /// What a guess of the present passcode costs; nil without one.
    package var guessCost: Argon2id.Cost? { keybag.record.passcode?.cost }

    /// Reads the attempt counter.
    ///
    /// - Throws: What the element throws.
    package func attemptStatus(at now: DeviceInstant) throws(DeviceError) -> AttemptStatus {
        let attempts = try element.attempts()
        return AttemptStatus(
            failures: attempts.failures,
            delayRemaining: attempts.delayRemaining(at: now)
        )
    }
}
