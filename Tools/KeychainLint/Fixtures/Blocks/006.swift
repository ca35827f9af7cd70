// A password to add that a process in the background can read.
let printerItem: [String: Any] = [
    kSecAttrService as String: "org.example.printing",
    kSecAttrAccount as String: "office-printer",
    kSecClass as String: kSecClassGenericPassword,
    kSecValueData as String: pinBytes,
    kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
]
