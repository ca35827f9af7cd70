import CryptoKit
import Security

func saveSymmetric(tag: Data) -> OSStatus {
    let own = SymmetricKey(size: .bits256)
    let item: [String: Any] = [
        kSecClass as String: kSecClassKey,
        kSecAttrApplicationTag as String: tag,
        kSecAttrKeyType as String: kSecAttrKeyTypeAES,
        kSecAttrKeyClass as String: kSecAttrKeyClassSymmetric,
        kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
        kSecValueData as String: own.dataRepresentation,
    ]
    return SecItemAdd(item as CFDictionary, nil)
}
