import CryptoKit

func key(_ own: P256.KeyAgreement.PrivateKey, _ theirs: P256.KeyAgreement.PublicKey)
    throws -> SymmetricKey
{
    let sharedSecret = try own.sharedSecretFromKeyAgreement(with: theirs)
    return sharedSecret.withUnsafeBytes { SymmetricKey(data: $0) }  // expect
}
