// A widget's read that gives nil for a locked device as for an item that does not exist.
func widgetPassword() -> String? {
    let wanted: [String: Any] = [
        kSecMatchLimit as String: kSecMatchLimitOne,
        kSecReturnData as String: true,
        kSecAttrService as String: "org.example.weather",
        kSecAttrAccount as String: "station",
        kSecClass as String: kSecClassGenericPassword,
    ]
    var found: CFTypeRef?
    let outcome = SecItemCopyMatching(wanted as CFDictionary, &found)
    guard outcome == errSecSuccess, let bytes = found as? Data else { return nil }
    return String(decoding: bytes, as: UTF8.self)
}
