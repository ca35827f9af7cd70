import DataProtection
import KeychainModel
import Secrets

// What the owner of a device does to it, beside the commands of its user.
extension Engine {
    /// Locks; the class keys leave after the grace period.
    package func lock(grace: Duration = .zero) throws(KeychainError) {
        try enterToLock { state throws(KeychainError) in try state.lock(grace: grace) }
    }

    package func unlock(passcode: SharedSecret) throws(KeychainError) {
        try enter { state throws(KeychainError) in try state.unlock(passcode: passcode) }
    }

    package func setPasscode(
        _ new: SharedSecret,
        current: SharedSecret?
    ) throws(KeychainError) {
        try enter { state throws(KeychainError) in try state.setPasscode(new, current: current) }
    }

    package func removePasscode(current: SharedSecret) throws(KeychainError) {
        try enter { state throws(KeychainError) in try state.removePasscode(current: current) }
    }

    /// Unlocks with a face or finger.
    package func unlock(presenting sample: [UInt8]) throws(KeychainError) {
        try enter { state throws(KeychainError) in
            let instant = state.environment.instant()
            state.announcements += try visit { () throws(DeviceError) in
                try state.device.unlock(presenting: sample, at: instant)
            }
            state.closeUnavailable()
        }
    }

    /// Adds a face or finger, by what the sensor calls it.
    package func enroll(_ sample: [UInt8]) throws(KeychainError) {
        try enter { state throws(KeychainError) in
            try visit { () throws(DeviceError) in try state.device.enroll(sample) }
        }
    }

    /// Removes a face or finger.
    package func removeEnrolment(_ sample: [UInt8]) throws(KeychainError) {
        try enter { state throws(KeychainError) in
            try visit { () throws(DeviceError) in try state.device.removeEnrolment(sample) }
        }
    }

    /// Whether nobody was ever enrolled since the device was made.
    package func isEnrolmentUntouched() throws(KeychainError) -> Bool {
        try enter { state throws(KeychainError) in
            try visit { () throws(DeviceError) in try state.device.isEnrolmentUntouched() }
        }
    }

    /// Starts the device anew, in the boot that the environment's clock now tells.
    package func reboot() throws(KeychainError) {
        try enter { state throws(KeychainError) in
            let instant = state.environment.instant()
            state.announcements += try visit { () throws(DeviceError) in
                try state.device.reboot(at: instant)
            }
            state.closeUnavailable()
        }
    }

    /// Applies what the passing of time brings; the environment's clock tells how late it is.
    package func timePassed() throws(KeychainError) {
        try enter { _ throws(KeychainError) in }
    }

    /// The lock state, and whether the keys for "while unlocked" are in memory.
    package func lockState() throws(KeychainError) -> (state: LockState, isAvailable: Bool) {
        try enter { state throws(KeychainError) in
            (state.device.state.lockState, state.device.isProtectedDataAvailable)
        }
    }

    /// How often a wrong passcode was entered while nobody unlocked or locked since the start; nil
    /// once somebody did either.
    package func attemptsBeforeFirstUnlock() throws(KeychainError) -> Int? {
        try enter { state throws(KeychainError) in
            guard state.device.state.lockState == .beforeFirstUnlock, !state.device.wasLocked else {
                return nil
            }
            let instant = state.environment.instant()
            return try visit { () throws(DeviceError) in
                Int(try state.device.attemptStatus(at: instant).failures)
            }
        }
    }

    /// What is left to wait before the next passcode is tried; zero for nothing.
    package func passcodeDelay() throws(KeychainError) -> Duration {
        try enter { state throws(KeychainError) in
            let instant = state.environment.instant()
            return try visit { () throws(DeviceError) in
                try state.device.attemptStatus(at: instant).delayRemaining
            }
        }
    }

    package var isPasscodeSet: Bool {
        get throws(KeychainError) {
            try enter { state throws(KeychainError) in state.device.isPasscodeSet }
        }
    }

    /// How much work was done so far.
    package var counters: EngineCounters {
        get throws(KeychainError) {
            try enter { state throws(KeychainError) in state.work.counters }
        }
    }
}
