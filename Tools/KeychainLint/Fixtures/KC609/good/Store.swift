import Security

func save(_ data: Data) -> OSStatus {
    let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "org.example.session",
        kSecAttrAccount as String: "token",
        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
        kSecValueData as String: data,
    ]
    return SecItemAdd(item as CFDictionary, nil)
}

func rekey() throws {
    let data = try keychainRead(service: "session", account: "token")
    try keychainSave(data, service: "org.example.session", account: "token")
    guard try keychainRead(service: "org.example.session", account: "token") == data
    else {
        throw MigrationError.differs
    }
    try keychainDelete(service: "session", account: "token")
}
