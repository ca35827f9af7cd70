import Security

func refresh(task: BGAppRefreshTask) {
    let query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "sync",
        kSecAttrAccount as String: "key",
        kSecReturnData as String: true,
    ]
    var result: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &result)  // expect
    finish(task, status, result)
}

func save(_ data: Data, _ control: SecAccessControl) -> OSStatus {
    let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "sync",
        kSecAttrAccount as String: "key",
        kSecAttrAccessControl as String: control,
        kSecValueData as String: data,
    ]
    return SecItemAdd(item as CFDictionary, nil)
}
