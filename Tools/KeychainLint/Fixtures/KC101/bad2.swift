import Security

func rename(_ data: Data, server: String, user: String) -> OSStatus {
    let query = NSMutableDictionary()
    query[kSecClass] = kSecClassInternetPassword
    query[kSecAttrServer] = server
    let read =
        [
            kSecClass: kSecClassInternetPassword, kSecAttrServer: server,
            kSecAttrAccount: user,
        ] as CFDictionary
    let status = SecItemCopyMatching(read, nil)
    guard status == errSecSuccess else { return status }
    return SecItemUpdate(query, [kSecValueData: data] as CFDictionary)  // expect
}
