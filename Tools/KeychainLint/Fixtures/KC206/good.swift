import Security

class Service: UNNotificationServiceExtension {
    override func didReceive(_ request: UNNotificationRequest) {
        var result: CFTypeRef?
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "push",
            kSecAttrAccount as String: "key",
            kSecReturnData as String: true,
        ]
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        finish(status, result)
    }
}

func saveKey(_ data: Data) -> OSStatus {
    let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "push",
        kSecAttrAccount as String: "key",
        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        kSecValueData as String: data,
    ]
    return SecItemAdd(item as CFDictionary, nil)
}
