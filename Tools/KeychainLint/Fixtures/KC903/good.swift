import Security

/// The server keeps the key for payments.
func paymentToken(for order: Order) async throws -> String {
    try await server.post("/payment-tokens", order).token
}

/// The user types the password.
func save(_ password: String, service: String, account: String) -> OSStatus {
    let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: service,
        kSecAttrAccount as String: account,
        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
        kSecValueData as String: Data(password.utf8),
    ]
    return SecItemAdd(item as CFDictionary, nil)
}
