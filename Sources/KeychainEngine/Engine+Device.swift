import DataProtection
import KeychainModel
import Secrets

// What the owner of a device does to it, beside the commands of its user.
extension Engine {
    /// Locks; the class keys leave after the grace period.
    package func lock(grace: Duration = .zero) throws(KeychainError) {
        try enterToLock { state throws(KeychainError) in
            try state.withSession { session throws(KeychainError) in
                try session.lock(grace: grace)
            }
        }
    }

    package func unlock(passcode: SharedSecret) throws(KeychainError) {
        let surroundings = environment.surroundings()
        try attempt(with: passcode) { state throws(KeychainError) in
            try state.session.beginUnlock(in: surroundings)
        } finish: { state, stretched throws(KeychainError) in
            try state.withSession { session throws(KeychainError) in
                try session.finishUnlock(with: stretched)
            }
        }
    }

    /// Tries a passcode, which is stretched with no lock held: that takes up to a second.
    ///
    /// - Parameters:
    ///   - passcode: What was typed.
    ///   - begin: Counts an attempt, durably; nil for none to make.
    ///   - finish: Makes it; another attempt if there is another passcode by now.
    /// - Throws: What counting, stretching and making the attempt throw.
    func attempt(
        with passcode: SharedSecret,
        begin: (inout EngineState) throws(KeychainError) -> CountedAttempt?,
        finish: (inout EngineState, StretchedPasscode) throws(KeychainError) -> CountedAttempt?
    ) throws(KeychainError) {
        var next = try enter(begin)
        while let attempt = next {
            let stretched = try stretch(passcode, for: attempt)
            next = try enter { state throws(KeychainError) in try finish(&state, stretched) }
        }
    }

    /// Stretches a passcode, with no lock held.
    func stretch(
        _ passcode: SharedSecret,
        for attempt: CountedAttempt
    ) throws(KeychainError) -> StretchedPasscode {
        environment.stretching?()
        return try fromDevice(try attempt.stretch(passcode.secret))
    }

    /// Unlocks with a face or finger.
    package func unlock(presenting sample: [UInt8]) throws(KeychainError) {
        try enter { state throws(KeychainError) in
            try state.withSession { session throws(KeychainError) in
                try session.change { device, now throws(DeviceError) in
                    try device.unlock(presenting: sample, at: now)
                }
            }
        }
    }

    /// Adds a face or finger, by what the sensor calls it.
    package func enroll(_ sample: [UInt8]) throws(KeychainError) {
        try enter { state throws(KeychainError) in
            try fromDevice(try state.session.device.enroll(sample))
        }
    }

    /// Removes a face or finger.
    package func removeEnrolment(_ sample: [UInt8]) throws(KeychainError) {
        try enter { state throws(KeychainError) in
            try fromDevice(try state.session.device.removeEnrolment(sample))
        }
    }

    /// Whether nobody was ever enrolled since the device was made.
    package func isEnrolmentUntouched() throws(KeychainError) -> Bool {
        try enter { state throws(KeychainError) in
            try fromDevice(try state.session.device.isEnrolmentUntouched())
        }
    }

    /// Starts the device anew, in the boot that the environment's clock now tells.
    package func reboot() throws(KeychainError) {
        try enter { state throws(KeychainError) in
            try state.withSession { session throws(KeychainError) in
                try session.change { device, now throws(DeviceError) in
                    try device.reboot(at: now)
                }
            }
        }
    }

    /// Applies what the passing of time brings; the environment's clock tells how late it is.
    package func timePassed() throws(KeychainError) {
        try enter { _ throws(KeychainError) in }
    }

    /// The lock state, and whether the keys for "while unlocked" are in memory.
    package func lockState() throws(KeychainError) -> (state: LockState, isAvailable: Bool) {
        try enter { state throws(KeychainError) in
            (state.session.device.state.lockState, state.session.device.isProtectedDataAvailable)
        }
    }

    /// How often a wrong passcode was entered while nobody unlocked or locked since the start; nil
    /// once somebody did either.
    package func attemptsBeforeFirstUnlock() throws(KeychainError) -> Int? {
        try enter { state throws(KeychainError) in
            guard state.session.device.state.lockState == .beforeFirstUnlock,
                !state.session.device.wasLocked
            else {
                return nil
            }
            return Int(try state.session.attemptStatus().failures)
        }
    }

    /// What is left to wait before the next passcode is tried; zero for nothing.
    package func passcodeDelay() throws(KeychainError) -> Duration {
        try enter { state throws(KeychainError) in
            try state.session.attemptStatus().delayRemaining
        }
    }

    package var isPasscodeSet: Bool {
        get throws(KeychainError) {
            try enter { state throws(KeychainError) in state.session.device.isPasscodeSet }
        }
    }

    /// How much work was done so far.
    package var counters: EngineCounters {
        get throws(KeychainError) {
            try enter { state throws(KeychainError) in state.vault.work.counters }
        }
    }
}
