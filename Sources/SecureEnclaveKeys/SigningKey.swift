import Cryptography
public import Foundation

extension SecureEnclave.P256.Signing {
    /// A private key that signs and never leaves the secure element.
    ///
    /// ```swift
    /// let key = try SecureEnclave.P256.Signing.PrivateKey()
    /// let signature = try key.signature(for: Data("message".utf8))
    /// let isValid = key.publicKey.isValidSignature(signature, for: Data("message".utf8))
    /// ```
    public typealias PrivateKey = SecureEnclave.P256.PrivateKey<SecureEnclave.P256.Signing>

    /// The public half of a key that signs.
    public typealias PublicKey = SecureEnclave.P256.PublicKey<SecureEnclave.P256.Signing>
}

extension SecureEnclave.P256.PrivateKey where Purpose == SecureEnclave.P256.Signing {
    /// Signs the SHA-256 digest of data.
    ///
    /// - Throws: an error of `NSOSStatusErrorDomain`: `errSecInteractionNotAllowed` while the
    ///   key is locked, `errSecUserCanceled` if the user cancels, `errSecAuthFailed` if the
    ///   user does not meet the access control.
    /// - Source: FIPS 186-5 (ECDSA).
    public func signature(
        for data: some DataProtocol
    ) throws -> SecureEnclave.P256.Signing.ECDSASignature {
        let der = try key.signature(of: [UInt8](data))
        return try .init(derRepresentation: der.secret.copyBytesUnprotected())
    }
}

extension SecureEnclave.P256.PublicKey where Purpose == SecureEnclave.P256.Signing {
    /// Returns whether this key's owner signed the SHA-256 digest of data.
    public func isValidSignature(
        _ signature: SecureEnclave.P256.Signing.ECDSASignature,
        for data: some DataProtocol
    ) -> Bool {
        (try? key.isValidSignature(
            [UInt8](signature.rawRepresentation),
            for: [UInt8](data),
            with: .ecdsa(.sha256, .message, .rfc4754)
        )) ?? false
    }
}
