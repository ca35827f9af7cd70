import Security

func save(_ identity: SecIdentity, label: String) -> OSStatus {
    let item: [String: Any] = [
        kSecClass as String: kSecClassIdentity,
        kSecValueRef as String: identity,
        kSecAttrLabel as String: label,
    ]
    return SecItemAdd(item as CFDictionary, nil)
}
