import Cryptography

/// Why bytes from a relay say nothing, or nothing could be made for one.
package enum SyncError: Error, Sendable, Hashable {
    /// The bytes are not what a peer writes; the reason in words, without their content.
    case damaged(String)
    /// Signed by another key, or changed since.
    case wrongSignature
    /// This device has not got the key.
    case noKey
    /// A link that nobody would follow.
    case notAllowed(LinkFault)
    /// More than the format has room for.
    case tooLarge
    /// libcrypto, the kernel or the secure element failed; the text is its own message.
    case backend(String)

    /// What an error of cryptography means for bytes of another device.
    init(_ error: CryptographyError, opening what: String) {
        switch error {
        case .authenticationFailed, .invalidInput, .invalidKeySize:
            self = .damaged("\(what) does not open")
        case .backend(let reason): self = .backend(reason)
        }
    }
}

/// Runs an operation whose failure is no fault of what was read.
func backed<R: ~Copyable>(
    _ body: () throws(CryptographyError) -> R
) throws(SyncError) -> R {
    do throws(CryptographyError) { return try body() } catch {
        throw .backend("\(error)")
    }
}
