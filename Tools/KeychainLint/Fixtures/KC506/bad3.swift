import Security

func token() throws -> Data {
    let query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "api",
        kSecAttrAccount as String: "t", kSecReturnData as String: true,
        kSecMatchLimit as String: kSecMatchLimitOne,
    ]
    var item: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &item)
    if status == errSecItemNotFound { Crash.report("token vanished"); throw Failure.corrupt }  // expect
    guard status == errSecSuccess, let data = item as? Data else { throw Failure.status(status) }
    return data
}
