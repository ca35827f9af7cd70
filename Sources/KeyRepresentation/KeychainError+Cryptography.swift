// ★ Table: the status for each error of `Cryptography`, for functions on keys and certificates.

import Cryptography
import KeychainModel

/// Converts an error of `Cryptography` to a status with a reason.
package func fromCryptography<R: ~Copyable>(
    _ work: @autoclosure () throws(CryptographyError) -> R
) throws(KeychainError) -> R {
    do throws(CryptographyError) { return try work() } catch { throw KeychainError(error) }
}

/// Converts an error of a PKCS#12 file, or of a key under a passphrase.
package func fromPKCS12<R: ~Copyable>(
    _ work: @autoclosure () throws(PKCS12Error) -> R
) throws(KeychainError) -> R {
    do throws(PKCS12Error) { return try work() } catch { throw KeychainError(error) }
}

extension KeychainError {
    /// Creates the status that a key function returns for an error of `Cryptography`.
    package init(_ error: CryptographyError) {
        switch error {
        case .authenticationFailed: self.init(.decode, "the data does not authenticate")
        case .invalidKeySize(let expected, let actual):
            self.init(.param, "the key has the size \(actual) instead of \(expected)")
        case .invalidInput(let reason): self.init(.param, reason)
        case .backend(let reason): self.init(.internalComponent, reason)
        }
    }

    /// Creates the error for a PKCS#12 file that cannot be read or written.
    package init(_ error: PKCS12Error) {
        switch error {
        case .wrongPassword: self.init(.authFailed, "the password is wrong")
        case .damaged: self.init(.decode, "the file is not PKCS#12, or damaged")
        case .unsupported(let what): self.init(.unimplemented, "\(what) is unknown")
        case .backend(let reason): self.init(.internal, reason)
        }
    }
}
