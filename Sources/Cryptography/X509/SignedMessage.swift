/// A message of the Cryptographic Message Syntax whose signatures fit its content (RFC 5652).
///
/// Provisioning profiles, signed configuration profiles and S/MIME's signatures have this form.
package struct SignedMessage: Sendable {
    /// Why there is no content.
    package enum Failure: Error, Equatable {
        /// The bytes are no such message.
        case unreadable
        /// Nobody without a key reads it.
        case encrypted
        /// The content is in another place, and was not given.
        case detached
        /// A signature does not fit the content, or has no certificate beside it.
        case wrongSignature
        /// libcrypto failed; the text is its own message.
        case backend(String)
    }

    /// What was signed.
    package let content: [UInt8]
    /// The certificates of those who signed; nobody for content without a signature.
    package let signers: [Certificate]
    /// Every certificate of the message.
    package let certificates: [Certificate]

    /// A message that was read.
    init(content: [UInt8], signers: [Certificate], certificates: [Certificate]) {
        self.content = content
        self.signers = signers
        self.certificates = certificates
    }

    /// Reads a message and checks its signatures, but not whether to trust their certificates.
    ///
    /// - Parameters:
    ///   - der: The message, in DER or BER.
    ///   - content: What was signed, if the message does not have it.
    /// - Throws: `Failure`.
    package init(_ der: [UInt8], content: [UInt8]? = nil) throws(Failure) {
        self = try Self.read(der, content)
    }
}
