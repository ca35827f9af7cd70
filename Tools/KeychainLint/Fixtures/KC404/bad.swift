import Security

func save(_ key: SecKey) -> OSStatus {
    let item: [String: Any] = [
        kSecClass as String: kSecClassKey,
        kSecValueRef as String: key,
        kSecAttrApplicationLabel as String: "signing",  // expect
        kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
    ]
    return SecItemAdd(item as CFDictionary, nil)
}
