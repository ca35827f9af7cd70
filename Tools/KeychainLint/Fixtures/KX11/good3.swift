import CryptoKit

func makeKey() -> Data? {
    do {
        return try SecureEnclave.P256.Signing.PrivateKey().dataRepresentation
    } catch {
        report(error)
        return nil
    }
}

func load(_ blob: Data) throws -> SecureEnclave.P256.Signing.PrivateKey {
    try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: blob)
}
