import Security

func token() throws -> Data {
    let query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "api",
        kSecAttrAccount as String: "t", kSecReturnData as String: true,
        kSecMatchLimit as String: kSecMatchLimitOne,
    ]
    var item: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &item)
    if status == errSecItemNotFound { throw Failure.notSignedIn }
    if status == errSecInteractionNotAllowed { throw Failure.locked }
    guard status == errSecSuccess, let data = item as? Data else {
        logger.fault("unexpected status \(status)")
        throw Failure.unexpected(status)
    }
    return data
}
