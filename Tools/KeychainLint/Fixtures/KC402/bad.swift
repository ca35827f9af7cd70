import Security

func save(_ label: String) -> OSStatus {
    let item: [String: Any] = [
        kSecClass as String: kSecClassIdentity,
        kSecAttrLabel as String: label,
    ]
    return SecItemAdd(item as CFDictionary, nil)  // expect
}
