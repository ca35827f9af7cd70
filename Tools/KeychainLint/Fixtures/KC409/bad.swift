import CryptoKit
import Security

func save(_ key: Curve25519.Signing.PrivateKey, tag: Data) -> OSStatus {
    let own = Curve25519.Signing.PrivateKey()
    let item: [String: Any] = [
        kSecClass as String: kSecClassKey,
        kSecAttrApplicationTag as String: tag,
        kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
        kSecAttrKeyClass as String: kSecAttrKeyClassSymmetric,
        kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
        kSecValueData as String: own.rawRepresentation,  // expect
    ]
    return SecItemAdd(item as CFDictionary, nil)
}
