import CryptoKit

func key(_ password: String, salt: Data) throws -> SymmetricKey {
    let bytes = try pbkdf2(password, salt: salt, iterations: 600_000)
    return SymmetricKey(data: bytes)
}
