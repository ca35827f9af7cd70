import CryptoKit

func seal(_ data: Data, _ key: SymmetricKey) throws -> Data? {
    let nonce = try AES.GCM.Nonce(data: Data(repeating: 0, count: 12))
    return try AES.GCM.seal(data, using: key, nonce: nonce).combined  // expect
}
