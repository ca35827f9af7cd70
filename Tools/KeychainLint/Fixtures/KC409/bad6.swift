import CryptoKit
import Security

struct Ring {
    func keep(_ data: Data, tag: String) throws {
        let status = SecItemAdd(
            [
                kSecClass: kSecClassKey, kSecAttrApplicationTag: Data(tag.utf8),
                kSecValueData: data, kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked,  // expect
            ] as CFDictionary,
            nil
        )
        guard status == errSecSuccess else { throw E(status) }
    }
    func enroll() throws {
        let key = Curve25519.Signing.PrivateKey()
        try keep(key.rawRepresentation, tag: "sign")
    }
}
