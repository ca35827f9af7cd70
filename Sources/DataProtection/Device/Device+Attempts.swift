import KeychainModel
import Secrets

/// The outcome of an attempt at a proof.
package enum ProofOutcome: Sendable {
    case proven(Proof)
    /// The passcode changed meanwhile: nothing was tried, and another attempt was counted.
    case again(CountedAttempt)
}

// Law: an attempt is counted, and the count is durable, before the passcode is tried. Only success
// resets the count. A process that is killed in between has used up its attempt.
extension Device {
    /// Counts an attempt to unlock.
    ///
    /// - Returns: nil without a passcode, because there is nothing to unlock.
    /// - Throws: `delayed`, `busy`, `storage`, `damaged`, `missing`, `unsupportedVersion` or
    ///   `cryptography`.
    package mutating func beginUnlock(
        at now: DeviceInstant
    ) throws(DeviceError) -> CountedAttempt? {
        apply(.timePassed, at: now)
        var begun: CountedAttempt?
        try storage.withExclusiveLock { () throws(DeviceError) in
            try reload(at: now)
            begun = try begin(at: now)
        }
        return begun
    }

    /// Opens every class and unlocks if the passcode is right, and cancels a running grace period.
    ///
    /// - Returns: Another attempt if the passcode changed meanwhile; otherwise nil.
    /// - Throws: `wrongPasscode`, or as `beginUnlock`; the lock state stays.
    package mutating func finishUnlock(
        with passcode: StretchedPasscode,
        at now: DeviceInstant
    ) throws(DeviceError) -> CountedAttempt? {
        apply(.timePassed, at: now)
        var another: CountedAttempt?
        try storage.withExclusiveLock { () throws(DeviceError) in
            try reload(at: now)
            guard keybag.isStretched(passcode) else {
                another = try begin(at: now)
                return
            }
            _ = try openKeybag(with: passcode, at: now)
            shareSession(at: now)
        }
        return another
    }

    /// Counts an attempt to prove the passcode.
    ///
    /// - Throws: `passcodeNotSet`, or as `beginUnlock`.
    package mutating func beginProof(at now: DeviceInstant) throws(DeviceError) -> CountedAttempt {
        var begun: CountedAttempt?
        try storage.withExclusiveLock { () throws(DeviceError) in
            try reload(at: now)
            begun = try begin(at: now)
        }
        guard let begun else { throw .passcodeNotSet }
        return begun
    }

    /// Tries a passcode only for a proof; the lock state stays.
    ///
    /// - Throws: `wrongPasscode`, or as `beginProof`.
    package mutating func finishProof(
        with passcode: StretchedPasscode,
        at now: DeviceInstant
    ) throws(DeviceError) -> ProofOutcome {
        var outcome: ProofOutcome?
        try storage.withExclusiveLock { () throws(DeviceError) in
            try reload(at: now)
            guard keybag.isStretched(passcode) else {
                outcome = try begin(at: now).map(ProofOutcome.again)
                return
            }
            guard let released = try keybag.proofKeys(for: passcode),
                let key = released[.passcode]
            else { throw Self.refusal(passcode.attempt.counted) }
            try forgiveFailures()
            if unlockToken == nil, state.lockState != .beforeFirstUnlock {
                try keepToken(releasing: released)
            }
            outcome = .proven(Proof([.passcode: key]))
        }
        guard let outcome else { throw .passcodeNotSet }
        return outcome
    }

    /// Counts an attempt at the present passcode; the caller holds the storage's exclusive lock.
    func begin(at now: DeviceInstant) throws(DeviceError) -> CountedAttempt? {
        guard let settings = keybag.record.passcode else { return nil }
        return CountedAttempt(settings: settings, counted: try countAttempt(at: now))
    }

    /// Tries the passcode, and opens every class if it is right; the caller holds the exclusive
    /// lock.
    mutating func openKeybag(
        with passcode: StretchedPasscode,
        at now: DeviceInstant
    ) throws(DeviceError) -> [Factor: SharedSecret] {
        guard let released = try keybag.open(with: passcode) else {
            throw Self.refusal(passcode.attempt.counted)
        }
        try forgiveFailures()
        apply(.unlocked, at: now)
        keepTokenIfPossible(releasing: released)
        return released
    }

    /// Resets the failure counts of passcode and biometry after the right passcode.
    func forgiveFailures() throws(DeviceError) {
        try element.recordAttempts(.none)
        guard let enrolments = try element.enrolments(), enrolments.failures > 0 else { return }
        try element.record(enrolments.counting(failures: 0))
    }

    /// Counts an attempt as failed before it is made.
    private func countAttempt(at now: DeviceInstant) throws(DeviceError) -> PasscodeAttempts {
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
