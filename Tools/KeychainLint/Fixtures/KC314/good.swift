import Security

func openItems(service: String) -> OSStatus {
    let query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: service,
        kSecMatchLimit as String: kSecMatchLimitAll,
        kSecReturnAttributes as String: true,
        kSecUseAuthenticationUI as String: kSecUseAuthenticationUISkip,
    ]
    var result: CFTypeRef?
    return SecItemCopyMatching(query as CFDictionary, &result)
}
