import Security

func save(_ data: Data) throws -> OSStatus {
    var error: Unmanaged<CFError>?
    guard let control = SecAccessControlCreateWithFlags(
        nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .biometryCurrentSet, &error
    ) else { throw ControlError(error) }
    let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "notes",
        kSecAttrAccount as String: "seal",
        kSecAttrAccessControl as String: control,
        kSecValueData as String: data,
    ]
    return SecItemAdd(item as CFDictionary, nil)
}

/// A change of fingerprints makes the item unreadable.
func needsSignIn(_ status: OSStatus) -> Bool {
    status == errSecItemNotFound || status == errSecAuthFailed
}
