import Security

func read(service: String, account: String) -> (OSStatus, Data?) {
    var query: [CFString: Any] = [kSecClass: kSecClassGenericPassword]
    query[kSecAttrService] = service
    query[kSecAttrAccount] = account
    query[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlock  // expect
    query[kSecReturnData] = true
    var result: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &result)
    return (status, result as? Data)
}
