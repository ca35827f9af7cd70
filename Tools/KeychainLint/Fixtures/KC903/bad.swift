import Security

let stripeKey = "sk_live_4eC39HqLyjWDarjtT1zdp7dc"  // expect

func save(service: String, account: String) -> OSStatus {
    let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: service,
        kSecAttrAccount as String: account,
        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
        kSecValueData as String: "correct horse battery".data(using: .utf8)!,  // expect
    ]
    return SecItemAdd(item as CFDictionary, nil)
}
