import Security

func trust(_ authority: SecCertificate) -> Bool {
    let item: [CFString: Any] = [
        kSecClass: kSecClassCertificate,
        kSecValueRef: authority,
    ]
    let status = SecItemAdd(item as CFDictionary, nil)
    return status == errSecSuccess || status == errSecDuplicateItem
}
