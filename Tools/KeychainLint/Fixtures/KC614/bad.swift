import Security

func handle(task: BGProcessingTask) {
    migrateAccessibility()
}

func migrateAccessibility() {  // expect
    let query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "session",
        kSecAttrAccount as String: "token",
    ]
    let values = [kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock]
    report(SecItemUpdate(query as CFDictionary, values as CFDictionary))
}
