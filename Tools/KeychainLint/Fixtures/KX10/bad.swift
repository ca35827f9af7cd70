import CryptoKit

func isValid(_ data: Data, mac: Data, key: SymmetricKey) -> Bool {
    let expectedMAC = Data(HMAC<SHA256>.authenticationCode(for: data, using: key))
    return expectedMAC == mac  // expect
}
