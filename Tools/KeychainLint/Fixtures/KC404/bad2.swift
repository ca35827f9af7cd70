import Security

func save(_ key: SecKey, name: Data) -> OSStatus {
    let item: [String: Any] = [
        kSecClass as String: kSecClassKey,
        kSecValueRef as String: key,
        kSecAttrKeyType as String: kSecAttrKeyTypeRSA,
        kSecAttrApplicationLabel as String: name,  // expect
        kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
    ]
    return SecItemAdd(item as CFDictionary, nil)
}
