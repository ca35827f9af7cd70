import KeychainModel
import Secrets

// Setting, changing and removing a passcode in steps: passcodes are stretched in between, with
// nothing held. What counts an attempt, and what makes it, is as for an unlock.
extension Device {
    /// Counts an attempt at the present passcode.
    ///
    /// - Parameters:
    ///   - isCurrentGiven: Whether somebody typed the present passcode.
    ///   - now: The current moment.
    /// - Returns: nil without a passcode, when nothing has to be proven.
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
    /// - Returns: What is allowed, or another attempt.
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

    /// Makes the keybag of a new passcode, and nothing of it takes effect yet.
    ///
    /// - Returns: nil if there is another passcode by now than the one that allowed the change.
    /// - Throws: `locked` if the device was locked meanwhile, `damaged`, `missing`, `storage`, what
    ///   the element throws, or `cryptography`; the passcode stays.
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

    /// Makes an attempt, and removes the passcode if it is right; with it goes the class key of all
    /// items that need one.
    ///
    /// - Returns: Another attempt if there is another passcode by now; else nil.
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
