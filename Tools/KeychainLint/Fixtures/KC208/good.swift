import Security

func save(_ data: Data) -> OSStatus {
    let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "vault",
        kSecAttrAccount as String: "seal",
        kSecAttrAccessible as String: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
        kSecValueData as String: data,
    ]
    return SecItemAdd(item as CFDictionary, nil)
}

func needsSignIn(_ status: OSStatus) -> Bool { status == errSecItemNotFound }
