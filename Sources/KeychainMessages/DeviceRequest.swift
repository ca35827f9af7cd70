import KeychainModel
import Secrets

/// What a person may do with the device itself.
package enum DeviceRequest: Sendable {
    case status
    case lock
    case unlock(passcode: SharedSecret)
    case setPasscode(SharedSecret, current: SharedSecret?)
    case removePasscode(current: SharedSecret)
    /// When it locks by itself; only while it is unlocked.
    case setLockSettings(LockSettings)
}

/// What is answered to a request to the device.
package enum DeviceReply: Sendable {
    case status(DeviceStatus)
    /// The device is as it was asked to be; what did not work beside that.
    case changed(warnings: [KeychainError])
}
