import Cryptography

/// Why a backup was not made or read; the messages hold no secrets.
package enum BackupError: Error, Equatable {
    /// The file is not what was written: changed, cut, put together, or no backup at all.
    case damaged(reason: String)

    /// The file is of a format version that this code does not know.
    case unsupportedVersion(UInt16)

    /// The header is whole, and the password does not open it.
    case wrongPassword

    /// The password has no bytes.
    case emptyPassword

    /// The secure element or its files failed.
    case device(DeviceError)

    /// The cryptographic library refused or failed.
    case cryptography(CryptographyError)
}
