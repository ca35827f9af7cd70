// An internet password to add, for use while the device is unlocked.
var forumItem: [String: Any] = [
    kSecAttrServer as String: forumHost,
    kSecAttrAccount as String: member,
    kSecClass as String: kSecClassInternetPassword,
    kSecValueData as String: words,
    kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlocked,
]
