import DataProtection
import KeychainModel
import Secrets

// The owner's operations on a device, in addition to the user's commands.
extension Engine {
    /// Locks; the class keys are wiped after the grace period.
    package func lock(grace: Duration = .zero) throws(KeychainError) {
        guard grace > .zero else { return try lockAndWait(.always) }
        try enterToLock { state throws(KeychainError) in
            try state.withSession { session throws(KeychainError) in
                try session.lock(grace: grace)
            }
        }
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

    /// Enrolls a face or finger, identified by the sensor's name for it.
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

    /// Whether there was no enrolment since the device was created.
    package func isEnrolmentUntouched() throws(KeychainError) -> Bool {
        try enter { state throws(KeychainError) in
            try fromDevice(try state.session.device.isEnrolmentUntouched())
        }
    }

    /// Restarts the device, in the boot that the environment's clock now reports.
    package func reboot() throws(KeychainError) {
        try enter { state throws(KeychainError) in
            try state.withSession { session throws(KeychainError) in
                try session.change { device, now throws(DeviceError) in
                    try device.reboot(at: now)
                }
            }
        }
    }

    /// Applies the effects of elapsed time, by the environment's clock.
    package func timePassed() throws(KeychainError) {
        try enter { _ throws(KeychainError) in }
    }

    /// Returns the lock state, and whether the keys for "while unlocked" are in memory.
    package func lockState() throws(KeychainError) -> (state: LockState, isAvailable: Bool) {
        try enter { state throws(KeychainError) in
            (state.session.device.state.lockState, state.session.device.isProtectedDataAvailable)
        }
    }

    /// Returns the count of wrong passcodes since the device started.
    ///
    /// It is nil once the device was unlocked or locked.
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

    /// Returns the time to wait before the next attempt; zero if there is none.
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

    /// The work that the engine has done so far.
    package var counters: EngineCounters {
        get throws(KeychainError) {
            try enter { state throws(KeychainError) in state.vault.work.counters }
        }
    }
}
