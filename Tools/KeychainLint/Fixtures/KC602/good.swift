import Security

func save(_ data: Data) -> OSStatus {
    let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "session",
        kSecAttrAccount as String: "refresh",
        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        kSecValueData as String: data,
    ]
    return SecItemAdd(item as CFDictionary, nil)
}

/// After a restore the item is gone, and the user signs in again.
func needsSignIn(_ status: OSStatus) -> Bool { status == errSecItemNotFound }
