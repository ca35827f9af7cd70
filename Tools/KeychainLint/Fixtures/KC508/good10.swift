import Security

func keep(_ token: Data) throws {
    let query = [kSecClass: kSecClassGenericPassword, kSecAttrService: "api", kSecAttrAccount: "t"]
    let added = SecItemAdd(
        [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "api", kSecAttrAccount: "t",
            kSecValueData: token,
            kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ] as CFDictionary,
        nil
    )
    switch added {
    case errSecSuccess: return
    case errSecDuplicateItem: break
    default: throw Failure(added)
    }
    let status = SecItemUpdate(query as CFDictionary, [kSecValueData: token] as CFDictionary)
    guard status == errSecSuccess else { throw Failure(status) }
}

func ask(_ token: Data) throws {
    do { try add(token) } catch Failure.duplicate { throw Failure.signedInAlready }
}

func add(_ token: Data) throws {
    let status = SecItemAdd(
        [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "api", kSecAttrAccount: "t",
            kSecValueData: token,
            kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ] as CFDictionary,
        nil
    )
    if status == errSecDuplicateItem { throw Failure.duplicate }
    guard status == errSecSuccess else { throw Failure(status) }
}
