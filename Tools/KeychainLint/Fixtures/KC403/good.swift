import Security

func makeKey() throws -> SecKey {
    var error: Unmanaged<CFError>?
    let attributes: [CFString: Any] = [
        kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom,
        kSecAttrKeySizeInBits: 256,
    ]
    guard let key = SecKeyCreateRandomKey(attributes as CFDictionary, &error) else {
        throw KeyError(error)
    }
    return key
}
