import Security

func save(_ data: Data, user: String) -> OSStatus {
    let item: [String: Any] = [
        kSecClass as String: kSecClassInternetPassword,
        kSecAttrServer as String: "shop.example",
        kSecAttrProtocol as String: kSecAttrProtocolHTTPS,
        kSecAttrAccount as String: user,
        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
        kSecValueData as String: data,
    ]
    return SecItemAdd(item as CFDictionary, nil)
}
