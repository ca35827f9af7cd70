import CommonCrypto

func derive(_ password: String, salt: Data) throws -> Data {
    try pbkdf2(password, salt: salt, iterations: 600_000)
}
