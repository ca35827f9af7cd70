extension SecureEnclave.P256.KeyAgreement {
    /// The secret on which two keys agree.
    public typealias SharedSecret = SecureEnclave.SharedSecret

    /// A private key that agrees on secrets and never leaves the secure element.
    public typealias PrivateKey = SecureEnclave.P256.PrivateKey<SecureEnclave.P256.KeyAgreement>

    /// The public half of a key that agrees on secrets.
    public typealias PublicKey = SecureEnclave.P256.PublicKey<SecureEnclave.P256.KeyAgreement>
}

extension SecureEnclave.P256.PrivateKey where Purpose == SecureEnclave.P256.KeyAgreement {
    /// Agrees on a secret with the owner of a public key.
    ///
    /// - Throws: an error of `NSOSStatusErrorDomain`, with the same codes as a signature.
    public func sharedSecretFromKeyAgreement(
        with publicKeyShare: SecureEnclave.P256.KeyAgreement.PublicKey
    ) throws -> SecureEnclave.SharedSecret {
        SecureEnclave.SharedSecret(try key.sharedSecret(with: publicKeyShare.key))
    }
}
