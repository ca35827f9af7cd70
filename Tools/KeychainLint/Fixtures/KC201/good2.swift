import Security

/// A certificate is public: its accessibility does not matter.
func save(_ certificate: SecCertificate) -> OSStatus {
    let item: [String: Any] = [
        kSecClass as String: kSecClassCertificate,
        kSecValueRef as String: certificate,
    ]
    return SecItemAdd(item as CFDictionary, nil)
}

func save(_ data: Data, account: String) -> OSStatus {
    var item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "notes",
        kSecAttrAccount as String: account,
        kSecValueData as String: data,
    ]
    protect(&item)
    return SecItemAdd(item as CFDictionary, nil)
}
