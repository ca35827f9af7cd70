import CryptoKit
import Security

func store(_ key: Curve25519.Signing.PrivateKey) throws {
    let query: [String: Any] = [
        kSecClass as String: kSecClassKey,
        kSecAttrApplicationTag as String: Data("com.example.sign".utf8),
        kSecValueData as String: key.rawRepresentation,  // expect
        kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
    ]
    let status = SecItemAdd(query as CFDictionary, nil)
    guard status == errSecSuccess || status == errSecDuplicateItem else { throw E(status) }
}
