// ★ Table: the status and the reason for each error below the engine. No case is left to a default.

import Cryptography
import DataProtection
import KeychainModel

// Each function evaluates an expression and converts its error to a status with a reason. The store
// needs none, because it throws `KeychainError`. One generic function is not possible: Swift does
// not infer the error type of an expression.

/// Converts an error of the device.
package func fromDevice<R: ~Copyable>(
    _ work: @autoclosure () throws(DeviceError) -> R
) throws(KeychainError) -> R {
    do throws(DeviceError) { return try work() } catch { throw KeychainError(error) }
}

/// Converts an error of files and directories.
package func fromStorage<R: ~Copyable>(
    _ work: @autoclosure () throws(StorageError) -> R
) throws(KeychainError) -> R {
    do throws(StorageError) { return try work() } catch { throw KeychainError(error) }
}

/// Converts an error of a backup's format or keys.
func fromBackup<R: ~Copyable>(
    _ work: @autoclosure () throws(BackupError) -> R
) throws(KeychainError) -> R {
    do throws(BackupError) { return try work() } catch { throw KeychainError(error) }
}

/// Converts an error of keys, digests or randomness.
func fromCryptography<R: ~Copyable>(
    _ work: @autoclosure () throws(CryptographyError) -> R
) throws(KeychainError) -> R {
    do throws(CryptographyError) { return try work() } catch { throw KeychainError(error) }
}

/// Converts an error of sealed rows.
func fromCipher<R: ~Copyable>(
    _ work: @autoclosure () throws(CipherError) -> R
) throws(KeychainError) -> R {
    do throws(CipherError) { return try work() } catch { throw KeychainError(error) }
}

extension KeychainError {
    package init(_ error: StoreError) {
        switch error {
        case .damaged(let path, let reason):
            let whole = "\(path) is damaged (\(reason)); nothing was deleted"
            self.init(.notAvailable, whole, cause: .damagedStore(reason))
        case .foreign(let path):
            self.init(.notAvailable, "\(path) belongs to another program; nothing was changed")
        case .foreignSchema(let path, let difference):
            let rest = "nothing was changed; remove it with SQLite, or restore a backup"
            let reason = "\(path) does not have the keychain's schema: \(difference); \(rest)"
            self.init(.notAvailable, reason)
        case .newer(let path, let version):
            let reason = "\(path) has version \(version), newer than this program supports"
            self.init(.notAvailable, reason)
        case .busy(let path):
            self.init(.notAvailable, "\(path) is being written by another process; try again")
        case .readOnly(let path): self.init(.readOnly, "\(path) cannot be written")
        case .full(let path): self.init(.diskFull, "the disk that holds \(path) is full")
        case .limitReached(let path, let byteCount):
            let limit = "\(byteCount >> 20) MiB that it may have"
            self.init(.diskFull, "\(path) has the \(limit); delete items to make room")
        case .inputOutput(let path, let reason): self.init(.io, "\(path): \(reason)")
        case .outOfMemory: self.init(.allocate, "out of memory")
        case .duplicate: self.init(.duplicateItem, Self.duplicate)
        case .backend(let code, let reason):
            self.init(.notAvailable, "database error \(code): \(reason)")
        }
    }

    init(_ error: CryptographyError) {
        switch error {
        case .authenticationFailed:
            self.init(.decode, "the data was changed, or is sealed under another key")
        case .invalidKeySize(let expected, let actual):
            self.init(.internal, "a key has \(actual) bytes instead of \(expected)")
        case .invalidInput(let reason): self.init(.param, reason)
        case .backend(let reason): self.init(.internalComponent, reason)
        }
    }

    init(_ error: CipherError) {
        switch error {
        case .damaged: self.init(.decode, "the stored row is damaged, or somebody changed it")
        case .cryptography(let error): self.init(error)
        case .unavailable(let error): self.init(error)
        }
    }

    package init(_ error: StorageError) {
        switch error {
        case .exposed(let path, let mode):
            let text = String(mode & 0o7777, radix: 8)
            let reason =
                "other users can access \(path) (mode \(text)); run keychainctl doctor"
            self.init(.notAvailable, reason)
        case .foreignOwner(let path, let owner):
            self.init(.notAvailable, "\(path) belongs to user \(owner), not to you")
        case .unexpectedKind(let path):
            self.init(.notAvailable, "\(path) is not a regular file or directory")
        case .tooLarge(let path):
            self.init(.notAvailable, "\(path) is too large to be a file of a keychain")
        case .system(let operation, let path, let code):
            self.init(SystemCode.status(of: code), SystemCode.reason(operation, path, code))
        }
    }

    package init(_ error: DeviceError) {
        switch error {
        case .wrongPasscode(let attempts, let delay):
            let reason = "wrong passcode, attempt \(attempts)" + Self.wait(delay)
            self.init(.authFailed, reason)
        case .delayed(let remaining):
            self.init(.authFailed, "too many wrong passcodes" + Self.wait(remaining))
        case .passcodeNotSet: self.init(.authFailed, "the keychain has no passcode")
        case .passcodeRequired: self.init(.authFailed, "a passcode is set: give the current one")
        case .emptyPasscode: self.init(.param, "the passcode is empty: give at least one character")
        case .damaged(let path, let reason):
            self.init(.notAvailable, "\(path) is damaged (\(reason)); nothing was deleted")
        case .unsupportedVersion(let path, let version):
            let reason = "\(path) has version \(version), which this program does not support"
            self.init(.notAvailable, reason)
        case .missing(let path):
            self.init(.notAvailable, "\(path) is missing although other files depend on it")
        case .moved(let path):
            let reason =
                "the keychain of \(path) was moved into the daemon: start this program again; if"
                + " that does not help, run keychainctl daemon adopt"
            self.init(.notAvailable, reason)
        case .sessionUnusable(let reason):
            self.init(.interactionNotAllowed, "the unlock session cannot be used: \(reason)")
        case .storage(let error): self.init(error)
        case .element(let reason): self.init(.notAvailable, "the secure element: \(reason)")
        case .busy(let path):
            self.init(.notAvailable, "another process has locked \(path); try again")
        case .cryptography(let error): self.init(error)
        case .noMatch: self.init(.authenticationFailed, "this face or finger is not enrolled")
        case .biometryUnavailable(let obstacle): self.init(obstacle.failure)
        case .enrolmentUnchanged(let reason): self.init(.param, reason)
        case .locked(let protection):
            let reason = Self.locked(protection)
            self.init(.interactionNotAllowed, reason)
        case .noSuchClass(let protection):
            let reason = "\(protection.name) needs a passcode, and none is set"
            self.init(.authFailed, reason)
        }
    }

    package init(_ error: BackupError) {
        switch error {
        case .damaged(let reason):
            self.init(.decode, "the backup is damaged: \(reason); nothing was restored")
        case .unsupportedVersion(let version):
            let reason = "the backup has version \(version), which this program does not support"
            self.init(.decode, reason)
        case .wrongPassword:
            self.init(.authFailed, "wrong password for this backup; nothing was restored")
        case .emptyPassword:
            self.init(.param, "the backup's password is empty: give at least one character")
        case .device(let error): self.init(error)
        case .cryptography(let error): self.init(error)
        }
    }

    /// The reason for a duplicate, both on add and on an update to another item's primary key.
    static let duplicate = "an item with the same primary key exists"

    /// Returns the reason: which key is missing, and since when.
    private static func locked(_ protection: ProtectionClass) -> String {
        let state =
            protection.availability == .afterFirstUnlock
            ? "nobody has unlocked the keychain since the device started" : "the keychain is locked"
        return "\(state), and this item is \(protection.name)"
    }

    private static func wait(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        return seconds > 0 ? "; wait \(seconds) s before the next attempt" : ""
    }
}

extension KeychainError {
    /// Creates the error for a fault outside the purpose of a call.
    init(_ warning: DeviceWarning) {
        let cause: KeychainError
        let consequence: String
        switch warning {
        case .sessionNotShared(let error):
            cause = KeychainError(error)
            consequence = "other programs have to unlock the keychain themselves"
        case .keybagNotRenamed(let error):
            cause = KeychainError(error)
            consequence = "the next program that opens the keychain has to finish the change"
        case .replacementStays(let error):
            cause = KeychainError(error)
            consequence = "a file that a crash left could not be removed"
        case .lockNotRecorded(let error):
            cause = KeychainError(error)
            consequence = "the lock applies only to this machine"
        }
        self.init(cause.status, "\(consequence): \(cause.reason)")
    }
}
