import Security

private func base(_ account: String) -> [String: Any] {
    [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "notes",
        kSecAttrAccount as String: account,
        kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,  // expect
    ]
}

func delete(account: String) -> OSStatus {
    SecItemDelete(base(account) as CFDictionary)
}
