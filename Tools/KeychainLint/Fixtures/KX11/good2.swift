import CryptoKit

/// Where there is no Secure Enclave, the caller gets no key.
func makeKey() throws -> Data? {
    guard SecureEnclave.isAvailable else { return nil }
    return try SecureEnclave.P256.Signing.PrivateKey().dataRepresentation
}
