import Cryptography
import KeychainModel

/// Why the device refused or failed; the messages hold paths and sizes, never secrets.
package enum DeviceError: Error, Equatable {
    /// The passcode is not the device's; `delay` is what the next attempt has to wait.
    case wrongPasscode(attemptsMade: Int, delay: Duration)

    /// Too many wrong passcodes: none is tried, and none is counted, before this time is over.
    case delayed(remaining: Duration)

    /// The operation takes a passcode away, and none is set.
    case passcodeNotSet

    /// A passcode is set, and the operation needs it.
    case passcodeRequired

    /// The new passcode has no bytes.
    case emptyPasscode

    /// The file is not what was last written; it is left as it is.
    case damaged(path: String, reason: String)

    /// The file is of a format version that this code does not know; it is left as it is.
    case unsupportedVersion(path: String, version: UInt16)

    /// The file is gone although others depend on it.
    case missing(path: String)

    /// The keychain has moved into a daemon, or is on its way; `path` is the keybag's.
    case moved(path: String)

    /// The session image is of another boot or keybag, or not what was written.
    case sessionUnusable(reason: String)

    /// The files could not be read, written or trusted.
    case storage(StorageError)

    /// The secure element is gone, is another one, or refuses; nothing was changed.
    case element(reason: String)

    /// Another process held the lock file for the whole bounded wait.
    case busy(path: String)

    /// The cryptographic library refused or failed.
    case cryptography(CryptographyError)

    /// The face or finger is not one that is enrolled.
    case noMatch

    /// Biometry cannot be used now.
    case biometryUnavailable(BiometryObstacle)

    /// An enrolment asks for what is there, or takes away what is not.
    case enrolmentUnchanged(reason: String)

    /// The class key is not in memory in the present lock state.
    case locked(ProtectionClass)

    /// The keybag has no key of that class: it needs a passcode, and none is set.
    case noSuchClass(ProtectionClass)
}

/// Runs a body and throws its error as a `DeviceError`.
///
/// - Parameters:
///   - convert: The case that carries the error.
///   - body: The work.
/// - Returns: What the body returns.
/// - Throws: What `convert` makes of the body's error.
func rethrow<R: ~Copyable, E>(
    as convert: (E) -> DeviceError,
    _ body: () throws(E) -> R
) throws(DeviceError) -> R {
    do throws(E) {
        return try body()
    } catch {
        throw convert(error)
    }
}
