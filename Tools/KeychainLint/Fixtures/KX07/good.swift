import CryptoKit

func seal(_ data: Data, _ key: SymmetricKey) throws -> Data {
    try ChaChaPoly.seal(data, using: key).combined
}
