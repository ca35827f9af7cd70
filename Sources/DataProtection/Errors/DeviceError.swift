import Cryptography
import KeychainModel

/// The errors of a device; messages contain paths and sizes, never secrets.
package enum DeviceError: Error, Equatable {
    /// The passcode is wrong; `delay` is the time before the next attempt.
    case wrongPasscode(attemptsMade: Int, delay: Duration)

    /// Too many passcodes were wrong: none is tried or counted before this time is over.
    case delayed(remaining: Duration)

    /// The operation requires a passcode, and none is set.
    case passcodeNotSet

    /// A passcode is set, and the operation needs it.
    case passcodeRequired

    /// The new passcode is empty.
    case emptyPasscode

    /// The file is not as it was last written; it is left unchanged.
    case damaged(path: String, reason: String)

    /// The format version of the file is unknown to this code; the file is left unchanged.
    case unsupportedVersion(path: String, version: UInt16)

    /// The file is missing although other files depend on it.
    case missing(path: String)

    /// The keychain has moved into a daemon, or is moving; `path` is the keybag's.
    case moved(path: String)

    /// The session image is damaged, or of another boot or keybag.
    case sessionUnusable(reason: String)

    /// The files could not be read, written or trusted.
    case storage(StorageError)

    /// The secure element is missing, is another one, or refuses; nothing was changed.
    case element(reason: String)

    /// Another process held the lock file for the whole bounded wait.
    case busy(path: String)

    /// The cryptographic library refused or failed.
    case cryptography(CryptographyError)

    /// The face or finger is not enrolled.
    case noMatch

    /// Biometry cannot be used now.
    case biometryUnavailable(BiometryObstacle)

    /// The face or finger to add is already enrolled, or the one to remove is not.
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
/// - Returns: The result of `body`.
/// - Throws: The converted error of `body`.
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
