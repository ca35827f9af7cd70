import Security

/// How such keys begin, without one.
let stripePrefix = "sk_live_"

func save(_ text: String, service: String, account: String) -> OSStatus {
    let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: service,
        kSecAttrAccount as String: account,
        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
        kSecValueData as String: Data(text.utf8),
    ]
    return SecItemAdd(item as CFDictionary, nil)
}
