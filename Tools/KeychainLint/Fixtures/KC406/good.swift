import Security

func save(_ data: Data, server: String, account: String) -> OSStatus {
    let item: [String: Any] = [
        kSecClass as String: kSecClassInternetPassword,
        kSecAttrServer as String: server,
        kSecAttrAccount as String: account,
        kSecAttrPort as String: 443,
        kSecAttrComment as String: "web",
        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
        kSecValueData as String: data,
    ]
    return SecItemAdd(item as CFDictionary, nil)
}
