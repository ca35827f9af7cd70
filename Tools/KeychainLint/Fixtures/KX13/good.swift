import CryptoKit

func agree(_ theirs: P256.KeyAgreement.PublicKey) throws -> SharedSecret? {
    guard SecureEnclave.isAvailable else { return nil }
    return try SecureEnclave.P256.KeyAgreement.PrivateKey().sharedSecretFromKeyAgreement(
        with: theirs
    )
}
