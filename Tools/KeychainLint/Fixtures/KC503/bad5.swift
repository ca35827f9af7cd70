import Security

func refresh(_ query: [String: Any], _ item: [String: Any]) -> OSStatus {
    var result: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &result)
    guard status != errSecSuccess else { return status }
    if status == errSecItemNotFound {
        print("the first start")
    }
    SecItemDelete(query as CFDictionary)  // expect
    return errSecItemNotFound
}
