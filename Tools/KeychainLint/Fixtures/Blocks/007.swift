// A password to add, without a name, at a level that protects nothing.
let feedItem: [String: Any] = [
    kSecValueData as String: feedBytes,
    kSecClass as String: kSecClassGenericPassword,
    kSecAttrAccessible as String: kSecAttrAccessibleAlways,
]
