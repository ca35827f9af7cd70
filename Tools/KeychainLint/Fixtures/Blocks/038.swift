// A certificate to add, made from its encoding and checked.
guard let root = SecCertificateCreateWithData(kCFAllocatorDefault, encoded as CFData) else {
    throw TrustError.noCertificate
}
let rootItem: [String: Any] = [
    kSecUseDataProtectionKeychain as String: true,
    kSecValueRef as String: root,
    kSecClass as String: kSecClassCertificate,
]
let outcome = SecItemAdd(rootItem as CFDictionary, nil)
