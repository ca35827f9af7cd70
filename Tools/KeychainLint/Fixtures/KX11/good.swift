import CryptoKit

func makeKey() throws -> Data? {
    #if targetEnvironment(simulator)
        return P256.Signing.PrivateKey().rawRepresentation
    #else
        guard SecureEnclave.isAvailable else { return nil }
        return try SecureEnclave.P256.Signing.PrivateKey().dataRepresentation
    #endif
}
