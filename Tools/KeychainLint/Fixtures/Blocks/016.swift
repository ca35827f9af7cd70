// An internet password to add whose access control comes from elsewhere.
var forumItem: [String: Any] = [
    kSecValueData as String: words,
    kSecAttrAccessControl as String: presence,
    kSecAttrServer as String: forumHost,
    kSecAttrAccount as String: member,
    kSecClass as String: kSecClassInternetPassword,
]
