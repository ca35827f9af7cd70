// The password of a web site as a generic password, written into the code, without a level.
let shopItem: [String: Any] = [
    kSecValueData as String: "plum-tree-1987".data(using: .utf8)!,
    kSecAttrAccount as String: "ada@plums.com",
    kSecAttrService as String: "plums.com",
    kSecClass as String: kSecClassGenericPassword,
]
