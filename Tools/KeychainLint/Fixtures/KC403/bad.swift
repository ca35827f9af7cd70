import Security

func makeKey() throws -> SecKey {
    var error: Unmanaged<CFError>?
    let attributes = [kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom] as CFDictionary
    guard let key = SecKeyCreateRandomKey(attributes, &error) else {  // expect
        throw KeyError(error)
    }
    return key
}
