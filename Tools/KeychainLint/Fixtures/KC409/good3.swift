import CryptoKit
import Security

extension Curve25519.Signing.PrivateKey {
    func save(account: String) -> OSStatus {
        SecItemAdd(
            [
                kSecClass: kSecClassGenericPassword, kSecAttrService: "signing",
                kSecAttrAccount: account, kSecValueData: rawRepresentation,
                kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
            ] as CFDictionary,
            nil
        )
    }
}
