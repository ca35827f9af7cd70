import Security

func save(_ certificate: SecCertificate, tag: Data) -> OSStatus {
    let item: [String: Any] = [
        kSecClass as String: kSecClassCertificate,
        kSecValueRef as String: certificate,
        kSecAttrApplicationTag as String: tag,  // expect
    ]
    return SecItemAdd(item as CFDictionary, nil)
}
