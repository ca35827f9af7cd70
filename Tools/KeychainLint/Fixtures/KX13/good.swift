import CryptoKit

func agree(_ theirs: P256.KeyAgreement.PublicKey) throws -> SharedSecret {
    try SecureEnclave.P256.KeyAgreement.PrivateKey().sharedSecretFromKeyAgreement(
        with: theirs
    )
}
