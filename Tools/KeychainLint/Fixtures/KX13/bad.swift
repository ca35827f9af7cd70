import CryptoKit

func seal(_ data: Data) throws -> Data {
    try SecureEnclave.AES.GCM.seal(data)  // expect
}
