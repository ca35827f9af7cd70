import Cryptography

/// The reasons why a backup was not made or read; messages contain no secrets.
package enum BackupError: Error, Equatable {
    /// The file was changed, truncated or assembled from others, or is not a backup.
    case damaged(reason: String)

    /// The format version is unknown to this code.
    case unsupportedVersion(UInt16)

    /// The header is intact, but the password does not open it.
    case wrongPassword

    /// The password is empty.
    case emptyPassword

    /// The secure element or its files failed.
    case device(DeviceError)

    /// The cryptographic library refused or failed.
    case cryptography(CryptographyError)
}
