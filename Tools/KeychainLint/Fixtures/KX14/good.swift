import CryptoKit
import Security

func save(account: String) throws -> OSStatus {
    guard SecureEnclave.isAvailable else { return errSecUnimplemented }
    let key = try SecureEnclave.P256.Signing.PrivateKey()
    let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "keys",
        kSecAttrAccount as String: account,
        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        kSecValueData as String: key.dataRepresentation,
    ]
    return SecItemAdd(item as CFDictionary, nil)
}
