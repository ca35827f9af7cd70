import CryptoKit
import Security

/// KC407 yields: there is no SecKey to make of a symmetric key.
func save(_ key: SymmetricKey) -> OSStatus {
    let made = SymmetricKey(size: .bits256)
    let bytes = made.withUnsafeBytes { Data($0) }
    let attributes: [CFString: Any] = [
        kSecClass: kSecClassKey,
        kSecAttrKeyClass: kSecAttrKeyClassPrivate,
        kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom,
        kSecAttrApplicationTag: Data("tag".utf8),
        kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
        kSecValueData: bytes,  // expect
    ]
    return SecItemAdd(attributes as CFDictionary, nil)
}
