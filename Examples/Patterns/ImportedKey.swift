import Foundation
import Security

/// A private key from elsewhere, stored as a key and not as bytes.
///
/// `SecKeyCreateWithData` checks the bytes. Adding the key by reference lets the keychain compute
/// its metadata: type, size, and the label that joins it to a certificate.
struct ImportedKey {
    let tag: Data

    /// Adds a P-256 key in X9.63 form: the public point, and then the secret number.
    func add(_ representation: Data) throws {
        let attributes: [String: Any] = [
            kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
            kSecAttrKeyClass as String: kSecAttrKeyClassPrivate,
            kSecAttrKeySizeInBits as String: 256,
        ]
        var error: Unmanaged<CFError>?
        guard
            let key = SecKeyCreateWithData(
                representation as CFData,
                attributes as CFDictionary,
                &error
            )
        else { throw KeychainError("read", "the key", errSecDecode) }
        let item: [String: Any] = [
            kSecClass as String: kSecClassKey,
            kSecValueRef as String: key,
            kSecAttrApplicationTag as String: tag,
            kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
            kSecUseDataProtectionKeychain as String: true,
        ]
        let status = SecItemAdd(item as CFDictionary, nil)
        // The label of a key is its hash: a duplicate is the same key.
        guard status == errSecSuccess || status == errSecDuplicateItem else {
            throw KeychainError("add", "the key", status)
        }
    }
}
