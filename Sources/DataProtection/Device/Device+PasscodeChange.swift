import KeychainModel
import Secrets

// Setting, changing and removing a passcode in steps, so that passcodes are stretched in between
// without a lock. Attempts are counted and made as for an unlock.
extension Device {
    /// Counts an attempt at the present passcode.
    ///
    /// - Parameters:
    /// - isCurrentGiven: Whether the caller has the present passcode.
    ///   - now: The current moment.
    /// - Returns: nil without a passcode, because nothing has to be proven.
    /// - Throws: `passcodeRequired`, or as `beginUnlock`.
    package mutating func beginChange(
        isCurrentGiven: Bool,
        at now: DeviceInstant
    ) throws(DeviceError) -> CountedAttempt? {
        apply(.timePassed, at: now)
        var begun: CountedAttempt?
        try storage.withExclusiveLock { () throws(DeviceError) in
            try reload(at: now)
            guard keybag.isPasscodeSet else { return }
            guard isCurrentGiven else { throw DeviceError.passcodeRequired }
            begun = try begin(at: now)
        }
        return begun
    }

    /// Makes the attempt, which unlocks the device if the passcode is right.
    ///
    /// - Parameters:
    ///   - current: The present passcode; ignored if none is set.
    ///   - now: The current moment.
    /// - Returns: The authorized change, or another attempt.
    /// - Throws: `wrongPasscode`, `passcodeRequired`, or as `beginUnlock`; the passcode stays.
    package mutating func allowChange(
        _ current: StretchedPasscode?,
        at now: DeviceInstant
    ) throws(DeviceError) -> ChangeOutcome {
        apply(.timePassed, at: now)
        return try storage.withExclusiveLock { () throws(DeviceError) -> ChangeOutcome in
            try reload(at: now)
            let present = keybag.record.passcode
            guard present != nil else {
                return .allowed(AllowedChange(present: nil, proofKeys: nil))
            }
            guard let current else { throw DeviceError.passcodeRequired }
            guard keybag.isStretched(current) else {
                guard let another = try begin(at: now) else { throw DeviceError.passcodeNotSet }
                return .again(another)
            }
            let released = try openKeybag(with: current, at: now)
            return .allowed(AllowedChange(present: present, proofKeys: released))
        }
    }

    /// Creates the keybag of a new passcode, without any effect yet.
    ///
    /// - Returns: nil if the passcode is no longer the one that authorized the change.
    /// - Throws: `locked` if the device was locked meanwhile, `damaged`, `missing`, `storage`, the
    ///   errors of the element, or `cryptography`; the passcode stays.
    package mutating func prepareSuccessor(
        _ new: NewPasscode,
        _ allowed: AllowedChange,
        at now: DeviceInstant
    ) throws(DeviceError) -> KeybagSuccessor? {
        apply(.timePassed, at: now)
        try storage.withExclusiveLock { () throws(DeviceError) in try reload(at: now) }
        guard keybag.record.passcode == allowed.present else { return nil }
        return try keybag.successor(new, proofKeys: allowed.proofKeys, random: random)
    }

    /// Makes the attempt, and removes the passcode if it is right.
    ///
    /// The class key of all items that need a passcode is destroyed with it.
    /// - Returns: Another attempt if the passcode changed meanwhile; otherwise nil.
    /// - Throws: `wrongPasscode`, `passcodeNotSet`, or as `beginUnlock`; the passcode stays.
    package mutating func removePasscode(
        with current: StretchedPasscode,
        at now: DeviceInstant
    ) throws(DeviceError) -> CountedAttempt? {
        apply(.timePassed, at: now)
        var another: CountedAttempt?
        try storage.withExclusiveLock { () throws(DeviceError) in
            try reload(at: now)
            guard keybag.isPasscodeSet else { throw DeviceError.passcodeNotSet }
            guard keybag.isStretched(current) else {
                another = try begin(at: now)
                return
            }
            _ = try openKeybag(with: current, at: now)
            let storage = self.storage
            try keybag.removePasscode { bytes throws(DeviceError) in
                try Self.save(bytes, in: storage)
            }
            stamp = try Self.stamp(in: storage)
            unlockToken = nil
            lastMatch = nil
            apply(.passcodeRemoved, at: now)
            renewEpoch(at: now)
        }
        return another
    }
}
