import CryptoKit

func restore(_ bytes: Data) throws -> SecureEnclave.P256.Signing.PrivateKey {
    try SecureEnclave.P256.Signing.PrivateKey(rawRepresentation: bytes)  // expect
}
