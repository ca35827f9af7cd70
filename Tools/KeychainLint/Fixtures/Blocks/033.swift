// A token to add under a service and an account, at a level for the background.
let tramItem: [String: Any] = [
    kSecUseDataProtectionKeychain as String: true,
    kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
    kSecAttrAccount as String: "season-ticket",
    kSecAttrService as String: "org.example.tram",
    kSecClass as String: kSecClassGenericPassword,
    kSecValueData as String: Data(ticketText.utf8),
]
let outcome = SecItemAdd(tramItem as CFDictionary, nil)
