import Cryptography
import KeychainModel
import Secrets

// Law: an attempt is counted, and the count durable, before the passcode is tried; only success
// takes it back. A process that is killed in between has used up its attempt.

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
        apply(.timePassed, at: now)
        try storage.withExclusiveLock { () throws(DeviceError) in
            try reload(at: now)
            if keybag.isPasscodeSet { _ = try openKeybag(with: passcode, at: now) }
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
            guard keybag.isPasscodeSet else { throw DeviceError.passcodeNotSet }
            let counted = try countAttempt(at: now)
            guard try keybag.verify(passcode: passcode) else { throw Self.refusal(counted) }
            try forgiveFailures()
        }
        return takeAnnouncements()
    }

    /// Sets or changes the passcode; touches no item, as every class key stays what it is.
    ///
    /// The current passcode is tried like an unlock, and unlocks the device if it is right. The
    /// cost of a guess is measured anew, so that it keeps up with the machine.
    /// - Parameters:
    ///   - new: At least 1 byte.
    ///   - current: The present passcode; ignored if none is set.
    ///   - now: The current moment.
    /// - Returns: What to announce.
    /// - Throws: `emptyPasscode`, `passcodeRequired`, or as `unlock`; the passcode stays.
    package mutating func setPasscode(
        _ new: borrowing Secret,
        current: SharedSecret?,
        at now: DeviceInstant
    ) throws(DeviceError) -> [DeviceAnnouncement] {
        guard new.byteCount > 0 else { throw .emptyPasscode }
        apply(.timePassed, at: now)
        try storage.withExclusiveLock { () throws(DeviceError) in
            try reload(at: now)
            let proofKeys = try authorizeChange(current, at: now)
            let cost = stretchingCost()
            let storage = self.storage
            let released = try keybag.setPasscode(
                new,
                proofKeys: proofKeys,
                cost: cost,
                random: random
            ) { bytes throws(DeviceError) in
                try Self.save(bytes, in: storage)
            }
            stamp = try Self.stamp(in: storage)
            apply(.passcodeSet, at: now)
            unlockToken = try keybag.unlockToken(released, bootID: now.bootID)
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
        apply(.timePassed, at: now)
        try storage.withExclusiveLock { () throws(DeviceError) in
            try reload(at: now)
            guard keybag.isPasscodeSet else { throw DeviceError.passcodeNotSet }
            _ = try openKeybag(with: current, at: now)
            let storage = self.storage
            try keybag.removePasscode { bytes throws(DeviceError) in
                try Self.save(bytes, in: storage)
            }
            stamp = try Self.stamp(in: storage)
            unlockToken = nil
            lastMatch = nil
            apply(.passcodeRemoved, at: now)
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

extension Device {
    /// What the present passcode releases; nil if none is set.
    private mutating func authorizeChange(
        _ current: SharedSecret?,
        at now: DeviceInstant
    ) throws(DeviceError) -> [Factor: SharedSecret]? {
        guard keybag.isPasscodeSet else { return nil }
        guard let current else { throw .passcodeRequired }
        return try openKeybag(with: current.secret, at: now)
    }

    /// Makes one counted attempt and opens every class if the passcode is right.
    private mutating func openKeybag(
        with passcode: borrowing Secret,
        at now: DeviceInstant
    ) throws(DeviceError) -> [Factor: SharedSecret] {
        let counted = try countAttempt(at: now)
        guard let released = try keybag.open(with: passcode) else {
            throw Self.refusal(counted)
        }
        try forgiveFailures()
        unlockToken = try keybag.unlockToken(released, bootID: now.bootID)
        apply(.unlocked, at: now)
        return released
    }

    /// After the right passcode: neither passcode nor biometry has failed.
    func forgiveFailures() throws(DeviceError) {
        try element.recordAttempts(.none)
        guard let enrolments = try element.enrolments(), enrolments.failures > 0 else { return }
        try element.record(enrolments.counting(failures: 0))
    }

    /// Counts an attempt as failed before it is made.
    func countAttempt(at now: DeviceInstant) throws(DeviceError) -> PasscodeAttempts {
        let attempts = try element.attempts()
        if let restarted = attempts.startingDelayOver(at: now) {
            try element.recordAttempts(restarted)
        }
        let remaining = attempts.delayRemaining(at: now)
        guard remaining == .zero else { throw .delayed(remaining: remaining) }
        let counted = attempts.countingAttempt(at: now)
        try element.recordAttempts(counted)
        return counted
    }

    static func refusal(_ counted: PasscodeAttempts) -> DeviceError {
        .wrongPasscode(
            attemptsMade: Int(counted.failures),
            delay: PasscodePolicy.delay(afterFailures: counted.failures)
        )
    }
}
