import CryptoKit

func makeKey() throws -> Data? {
    guard SecureEnclave.isAvailable else { return nil }  // expect
    return try SecureEnclave.P256.Signing.PrivateKey().dataRepresentation
}
