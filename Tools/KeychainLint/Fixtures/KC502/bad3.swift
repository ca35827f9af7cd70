import Security

func mark(_ query: [String: Any], _ item: [String: Any]) -> Bool {
    let status = SecItemCopyMatching(query as CFDictionary, nil)
    if status == errSecSuccess { return true }
    let added = SecItemAdd(item as CFDictionary, nil)  // expect
    return added == errSecSuccess
}
