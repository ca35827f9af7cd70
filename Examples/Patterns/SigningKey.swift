import Foundation
import Security

/// A P-256 key that the keychain makes, keeps and finds by its tag.
///
/// The tag is the name that you choose. The system computes `kSecAttrApplicationLabel` from the
/// public key; leave it alone. Queries name type, size and class, so that they find this half of
/// this pair.
struct SigningKey {
    let tag: Data

    private var item: [String: Any] {
        [
            kSecClass as String: kSecClassKey,
            kSecAttrApplicationTag as String: tag,
            kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
            kSecAttrKeyClass as String: kSecAttrKeyClassPrivate,
            kSecAttrKeySizeInBits as String: 256,
            kSecUseDataProtectionKeychain as String: true,
        ]
    }

    /// Returns the key, and makes it the first time.
    func key() throws -> SecKey {
        if let key = try find() { return key }
        let attributes: [String: Any] = [
            kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
            kSecAttrKeySizeInBits as String: 256,
            kSecUseDataProtectionKeychain as String: true,
            kSecPrivateKeyAttrs as String: [
                kSecAttrIsPermanent as String: true,
                kSecAttrApplicationTag as String: tag,
                kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
            ] as [String: Any],
        ]
        var error: Unmanaged<CFError>?
        guard let key = SecKeyCreateRandomKey(attributes as CFDictionary, &error) else {
            throw KeychainError("make", "a signing key", errSecParam)
        }
        return key
    }

    func signature(of message: Data) throws -> Data {
        var error: Unmanaged<CFError>?
        let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
        let signature = SecKeyCreateSignature(
            try key(),
            algorithm,
            message as CFData,
            &error
        )
        guard let signature else { throw KeychainError("sign with", "the key", errSecParam) }
        return signature as Data
    }

    /// Deletes this key and no other.
    func delete() throws {
        let status = SecItemDelete(item as CFDictionary)
        guard status == errSecSuccess || status == errSecItemNotFound else {
            throw KeychainError("delete", "the key", status)
        }
    }

    private func find() throws -> SecKey? {
        var query = item
        query[kSecReturnRef as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        switch status {
        case errSecSuccess:
            guard let result, CFGetTypeID(result) == SecKeyGetTypeID() else { return nil }
            // The type was checked; a cast to a Core Foundation type cannot fail otherwise.
            return unsafeDowncast(result, to: SecKey.self)
        case errSecItemNotFound: return nil
        default: throw KeychainError("find", "the key", status)
        }
    }
}
