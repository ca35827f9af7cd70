// A key pair on an elliptic curve, with type and size, kept under a tag.
var cause: Unmanaged<CFError>?
let wish: [String: Any] = [
    kSecPrivateKeyAttrs as String: [
        kSecAttrApplicationTag as String: Data("org.example.seal".utf8),
        kSecAttrIsPermanent as String: true,
    ],
    kSecAttrKeySizeInBits as String: 384,
    kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
]
guard let sealKey = SecKeyCreateRandomKey(wish as CFDictionary, &cause) else {
    throw cause!.takeRetainedValue() as Error
}
let sealCheck = SecKeyCopyPublicKey(sealKey)!
