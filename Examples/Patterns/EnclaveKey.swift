import Foundation
import LocalAuthentication
import Security

/// A key that never leaves the Secure Enclave, and signs only after the user proved presence.
///
/// Nobody can export it or bring it to another device, so a new phone registers a new key.
struct EnclaveKey {
    let tag: Data

    /// Makes the key and returns the public half for the server.
    func register() throws -> SecKey {
        var error: Unmanaged<CFError>?
        guard
            let control = SecAccessControlCreateWithFlags(
                nil,
                kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
                [.privateKeyUsage, .userPresence],
                &error
            )
        else { throw KeychainError("protect", "the key", errSecParam) }
        let attributes: [String: Any] = [
            kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
            kSecAttrKeySizeInBits as String: 256,
            kSecAttrTokenID as String: kSecAttrTokenIDSecureEnclave,
            kSecUseDataProtectionKeychain as String: true,
            kSecPrivateKeyAttrs as String: [
                kSecAttrIsPermanent as String: true,
                kSecAttrApplicationTag as String: tag,
                kSecAttrAccessControl as String: control,
            ] as [String: Any],
        ]
        guard let key = SecKeyCreateRandomKey(attributes as CFDictionary, &error),
            let publicKey = SecKeyCopyPublicKey(key)
        else { throw KeychainError("make", "the key", errSecParam) }
        return publicKey
    }

    /// Prompts the user and signs; nil means that this device has to register a key first.
    func signature(of message: Data, reason: String) throws -> Data? {
        let context = LAContext()
        context.localizedReason = reason
        guard let key = try find(context) else { return nil }
        var error: Unmanaged<CFError>?
        let signature = SecKeyCreateSignature(
            key,
            .ecdsaSignatureMessageX962SHA256,
            message as CFData,
            &error
        )
        guard let signature else { throw KeychainError("sign with", "the key", errSecAuthFailed) }
        return signature as Data
    }

    private func find(_ context: LAContext) throws -> SecKey? {
        let query: [String: Any] = [
            kSecClass as String: kSecClassKey,
            kSecAttrApplicationTag as String: tag,
            kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
            kSecAttrKeyClass as String: kSecAttrKeyClassPrivate,
            kSecAttrTokenID as String: kSecAttrTokenIDSecureEnclave,
            kSecUseAuthenticationContext as String: context,
            kSecReturnRef as String: true,
            kSecMatchLimit as String: kSecMatchLimitOne,
            kSecUseDataProtectionKeychain as String: true,
        ]
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
