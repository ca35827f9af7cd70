// An item for the data protection keychain of macOS, without a protection level.
let deskItem: [String: Any] = [
    kSecUseDataProtectionKeychain as String: true,
    kSecValueData as String: deskKey,
    kSecAttrAccount as String: "desk",
    kSecAttrService as String: "org.example.office",
    kSecClass as String: kSecClassGenericPassword,
]
