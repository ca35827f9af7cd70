// A key in the Secure Enclave that signs after the user has shown to be there.
var refusal: Unmanaged<CFError>?
guard let signing = SecAccessControlCreateWithFlags(
    nil,
    kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
    [.userPresence, .privateKeyUsage],
    &refusal
) else {
    throw refusal!.takeRetainedValue() as Error
}

let wish: [String: Any] = [
    kSecPrivateKeyAttrs as String: [
        kSecAttrAccessControl as String: signing,
        kSecAttrApplicationTag as String: Data("org.example.enclave".utf8),
        kSecAttrIsPermanent as String: true,
    ],
    kSecAttrTokenID as String: kSecAttrTokenIDSecureEnclave,
    kSecAttrKeySizeInBits as String: 256,
    kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
]
var cause: Unmanaged<CFError>?
guard let enclaveKey = SecKeyCreateRandomKey(wish as CFDictionary, &cause) else {
    throw cause!.takeRetainedValue() as Error
}
