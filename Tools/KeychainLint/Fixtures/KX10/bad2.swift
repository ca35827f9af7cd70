import CommonCrypto
import CryptoKit

func isFromServer(_ body: Data, header: String, key: SymmetricKey) -> Bool {
    let code = HMAC<SHA256>.authenticationCode(for: body, using: key)
    let hex = code.map { String(format: "%02x", $0) }.joined()
    return hex == header  // expect
}

func isIntact(_ body: Data, received: Data, key: SymmetricKey) -> Bool {
    Data(HMAC<SHA256>.authenticationCode(for: body, using: key)) == received  // expect
}

func isSame(_ body: [UInt8], _ received: [UInt8], _ key: [UInt8]) -> Bool {
    var digest = [UInt8](repeating: 0, count: 32)
    CCHmac(CCHmacAlgorithm(kCCHmacAlgSHA256), key, key.count, body, body.count, &digest)
    return digest.elementsEqual(received)  // expect
}

func isCorrect(_ password: String, _ user: User) -> Bool {
    let passwordHash = derive(password, user.salt)
    return passwordHash == user.passwordHash  // expect
}
