import CryptoKit

func key(_ own: P256.KeyAgreement.PrivateKey, _ theirs: P256.KeyAgreement.PublicKey)
    throws -> SymmetricKey
{
    let secret = try own.sharedSecretFromKeyAgreement(with: theirs)
    return secret.hkdfDerivedSymmetricKey(
        using: SHA256.self,
        salt: Data(),
        sharedInfo: Data(),
        outputByteCount: 32
    )
}
