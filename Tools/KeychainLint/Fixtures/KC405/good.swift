import Security

func save(_ certificate: SecCertificate, label: String) -> OSStatus {
    let item: [String: Any] = [
        kSecClass as String: kSecClassCertificate,
        kSecValueRef as String: certificate,
        kSecAttrLabel as String: label,
    ]
    return SecItemAdd(item as CFDictionary, nil)
}
