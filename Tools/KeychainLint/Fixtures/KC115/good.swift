import Security

func read(reference: Data) -> (OSStatus, Data?) {
    let query: [String: Any] = [
        kSecValuePersistentRef as String: reference,
        kSecReturnData as String: true,
    ]
    var result: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &result)
    return (status, result as? Data)
}
