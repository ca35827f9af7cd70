// An item for the background, which can be read after the first unlock.
let syncItem: [String: Any] = [
    kSecValueData as String: noteKey,
    kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
    kSecAttrAccount as String: "night-sync",
    kSecAttrService as String: "org.example.notes",
    kSecClass as String: kSecClassGenericPassword,
]
