import Security

func save(_ bytes: Data, tag: Data) throws -> OSStatus {
    var error: Unmanaged<CFError>?
    let attributes: [String: Any] = [
        kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
        kSecAttrKeyClass as String: kSecAttrKeyClassPrivate,
    ]
    guard
        let key = SecKeyCreateWithData(
            bytes as CFData,
            attributes as CFDictionary,
            &error
        )
    else {
        throw KeyError(error)
    }
    let item: [String: Any] = [
        kSecClass as String: kSecClassKey,
        kSecAttrApplicationTag as String: tag,
        kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
        kSecValueRef as String: key,
    ]
    return SecItemAdd(item as CFDictionary, nil)
}
