import CryptoKit
import Security

func save(account: String) throws -> OSStatus {
    let key = try SecureEnclave.P256.Signing.PrivateKey()
    let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "keys",
        kSecAttrAccount as String: account,
        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
        kSecValueData as String: key.dataRepresentation,  // expect
    ]
    return SecItemAdd(item as CFDictionary, nil)
}
