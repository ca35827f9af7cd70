import Security

func save(_ data: Data, control: SecAccessControl) -> OSStatus {
    let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "notes",
        kSecAttrAccount as String: "seal",
        kSecAttrAccessControl as String: control,
        kSecAttrSynchronizable as String: false,
        kSecValueData as String: data,
    ]
    return SecItemAdd(item as CFDictionary, nil)
}
