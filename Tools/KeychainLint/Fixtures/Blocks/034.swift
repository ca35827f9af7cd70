// A password for a web form, written into the code and without a protection level.
let shopItem: [String: Any] = [
    kSecUseDataProtectionKeychain as String: true,
    kSecValueData as String: "plum-tree-1987".data(using: .utf8)!,
    kSecAttrAccount as String: "ada@shop.example",
    kSecAttrServer as String: "shop.example",
    kSecAttrPath as String: "/account",
    kSecAttrPort as String: 8443,
    kSecAttrProtocol as String: kSecAttrProtocolHTTPS,
    kSecAttrAuthenticationType as String: kSecAttrAuthenticationTypeHTMLForm,
    kSecClass as String: kSecClassInternetPassword,
]
let outcome = SecItemAdd(shopItem as CFDictionary, nil)
