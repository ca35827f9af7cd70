// A password to add that says nothing about when it can be read.
let printerItem: [String: Any] = [
    kSecAttrService as String: "org.example.printing",
    kSecAttrAccount as String: "office-printer",
    kSecClass as String: kSecClassGenericPassword,
    kSecValueData as String: pinBytes,
]
