import DataProtection
import KeychainModel
import Secrets

// What the owner of a device does to it, beside the commands of its user.
extension Engine {
    /// Locks; the class keys leave after the grace period.
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
