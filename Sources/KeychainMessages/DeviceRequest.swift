import KeychainModel
import Secrets

/// A user's command to the device.
package enum DeviceRequest: Sendable {
    case status
    case lock
    case unlock(passcode: SharedSecret)
    case setPasscode(SharedSecret, current: SharedSecret?)
    case removePasscode(current: SharedSecret)
    /// Changes the settings for automatic locking; requires an unlocked device.
    case setLockSettings(LockSettings)
}

/// The reply to a command to the device.
package enum DeviceReply: Sendable {
    case status(DeviceStatus)
    /// The command succeeded; `warnings` are faults outside its purpose.
    case changed(warnings: [KeychainError])
}
