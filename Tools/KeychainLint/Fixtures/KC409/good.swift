import CryptoKit
import Security

func save(account: String) -> OSStatus {
    let own = Curve25519.Signing.PrivateKey()
    let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "keys",
        kSecAttrAccount as String: account,
        kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
        kSecValueData as String: own.rawRepresentation,
    ]
    return SecItemAdd(item as CFDictionary, nil)
}
