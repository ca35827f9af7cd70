import CryptoKit

func makeKey() throws -> Data {
    try SecureEnclave.P256.Signing.PrivateKey().dataRepresentation  // expect
}
