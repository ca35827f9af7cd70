/// A message of the Cryptographic Message Syntax whose signatures match its content (RFC 5652).
///
/// Provisioning profiles, signed configuration profiles and S/MIME's signatures have this form.
package struct SignedMessage: Sendable {
    /// The reason why a message was rejected.
    package enum Failure: Error, Equatable {
        /// The bytes are not such a message.
        case unreadable
        /// The message is encrypted.
        case encrypted
        /// The content is separate, and was not given.
        case detached
        /// A signature does not match the content, or its certificate is missing.
        case wrongSignature
        /// libcrypto failed; the text is its own message.
        case backend(String)
    }

    /// The signed content.
    package let content: [UInt8]
    /// The certificates of the signers; empty for content without a signature.
    package let signers: [Certificate]
    /// Every certificate of the message.
    package let certificates: [Certificate]

    /// Creates a message that was read.
    init(content: [UInt8], signers: [Certificate], certificates: [Certificate]) {
        self.content = content
        self.signers = signers
        self.certificates = certificates
    }

    /// Reads a message and verifies its signatures, but not the trust in their certificates.
    ///
    /// - Parameters:
    ///   - der: The message, in DER or BER.
    ///   - content: The signed content, if the message does not contain it.
    /// - Throws: `Failure`.
    package init(_ der: [UInt8], content: [UInt8]? = nil) throws(Failure) {
        self = try Self.read(der, content)
    }
}
