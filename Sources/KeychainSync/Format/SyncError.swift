import Cryptography

/// The reason that bytes from a relay were rejected, or that nothing could be written for it.
package enum SyncError: Error, Sendable, Hashable {
    /// The bytes break the format; the text gives the reason, without their content.
    case damaged(String)
    /// The signature is by another key, or the bytes changed after signing.
    case wrongSignature
    /// This device does not have the key.
    case noKey
    /// The link breaks a rule, so that nobody would follow it.
    case notAllowed(LinkFault)
    /// The content is larger than the format allows.
    case tooLarge
    /// libcrypto, the kernel or the secure element failed; the text is its own message.
    case backend(String)

    /// Converts a cryptographic error that occurred while opening another device's bytes.
    init(_ error: CryptographyError, opening what: String) {
        switch error {
        case .authenticationFailed, .invalidInput, .invalidKeySize:
            self = .damaged("\(what) does not open")
        case .backend(let reason): self = .backend(reason)
        }
    }
}

/// Runs an operation and reports its failure as `backend`: the input is not to blame.
func backed<R: ~Copyable>(
    _ body: () throws(CryptographyError) -> R
) throws(SyncError) -> R {
    do throws(CryptographyError) { return try body() } catch {
        throw .backend("\(error)")
    }
}
