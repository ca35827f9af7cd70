import Security

func save(_ key: SecKey, tag: Data) -> OSStatus {
    let item: [String: Any] = [
        kSecClass as String: kSecClassKey,
        kSecValueRef as String: key,
        kSecAttrApplicationTag as String: tag,
        kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
    ]
    return SecItemAdd(item as CFDictionary, nil)
}
