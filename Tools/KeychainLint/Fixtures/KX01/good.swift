import CryptoKit

func seal(_ data: Data, _ key: SymmetricKey) throws -> Data? {
    try AES.GCM.seal(data, using: key).combined
}
