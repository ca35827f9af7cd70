import CryptoKit
import Security

extension Curve25519.Signing.PrivateKey {
    func persist(tag: Data) -> OSStatus {
        SecItemAdd(
            [
                kSecClass: kSecClassKey, kSecAttrApplicationTag: tag,
                kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked,
                kSecValueData: rawRepresentation,  // expect
            ] as CFDictionary,
            nil
        )
    }
}
