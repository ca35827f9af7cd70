import CryptoKit

func restore(_ blob: Data) throws -> SecureEnclave.P256.Signing.PrivateKey {
    try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: blob)
}
