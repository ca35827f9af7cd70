import Security

func forget(service: String) -> OSStatus {
    let query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: service,
    ]
    return SecItemDelete(query as CFDictionary)  // expect
}
