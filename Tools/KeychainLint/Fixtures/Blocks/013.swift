// A password to add on macOS, in the data protection keychain.
let mailItem: [String: Any] = [
    kSecUseDataProtectionKeychain as String: true,
    kSecAttrService as String: mailService,
    kSecAttrAccount as String: mailbox,
    kSecClass as String: kSecClassGenericPassword,
    kSecValueData as String: mailPassword,
    kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
]
