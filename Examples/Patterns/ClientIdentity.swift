import Foundation
import Security

/// A certificate with its private key, for a server that asks for one.
///
/// The keychain stores the two halves. They form an identity because they contain the same public
/// key, so nobody adds an identity as such.
struct ClientIdentity {
    /// Imports a PKCS#12 file, and stores its certificate and key.
    func importFile(_ file: Data, passphrase: String) throws {
        let options = [kSecImportExportPassphrase as String: passphrase] as CFDictionary
        var items: CFArray?
        let status = SecPKCS12Import(file as CFData, options, &items)
        guard status == errSecSuccess else { throw KeychainError("import", "the file", status) }
        for entry in items as? [[String: Any]] ?? [] {
            guard let identity = entry[kSecImportItemIdentity as String] as AnyObject?,
                CFGetTypeID(identity) == SecIdentityGetTypeID()
            else { continue }
            // The type was checked; a cast to a Core Foundation type cannot fail otherwise.
            try store(unsafeDowncast(identity, to: SecIdentity.self))
        }
    }

    private func store(_ identity: SecIdentity) throws {
        var certificate: SecCertificate?
        var key: SecKey?
        var status = SecIdentityCopyCertificate(identity, &certificate)
        guard status == errSecSuccess, let certificate else {
            throw KeychainError("read", "the certificate", status)
        }
        status = SecIdentityCopyPrivateKey(identity, &key)
        guard status == errSecSuccess, let key else {
            throw KeychainError("read", "the key", status)
        }
        try addCertificate(certificate)
        let item: [String: Any] = [
            kSecClass as String: kSecClassKey,
            kSecValueRef as String: key,
            kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
            kSecUseDataProtectionKeychain as String: true,
        ]
        status = SecItemAdd(item as CFDictionary, nil)
        // The label of a key is its hash: a duplicate is the same key.
        guard status == errSecSuccess || status == errSecDuplicateItem else {
            throw KeychainError("add", "the key", status)
        }
    }

    /// Stores a certificate that the server issued for a key of this device, in DER form.
    func addCertificate(der: Data) throws {
        guard let certificate = SecCertificateCreateWithData(nil, der as CFData) else {
            throw KeychainError("read", "the certificate", errSecDecode)
        }
        try addCertificate(certificate)
    }

    private func addCertificate(_ certificate: SecCertificate) throws {
        let item: [String: Any] = [
            kSecClass as String: kSecClassCertificate,
            kSecValueRef as String: certificate,
            kSecUseDataProtectionKeychain as String: true,
        ]
        let status = SecItemAdd(item as CFDictionary, nil)
        // Issuer and number identify a certificate: a duplicate is the same one.
        guard status == errSecSuccess || status == errSecDuplicateItem else {
            throw KeychainError("add", "the certificate", status)
        }
    }

    /// Returns the identity, or nil if one of its halves does not exist.
    func identity() throws -> SecIdentity? {
        let query: [String: Any] = [
            kSecClass as String: kSecClassIdentity,
            kSecReturnRef as String: true,
            kSecMatchLimit as String: kSecMatchLimitOne,
            kSecUseDataProtectionKeychain as String: true,
        ]
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        switch status {
        case errSecSuccess:
            guard let result, CFGetTypeID(result) == SecIdentityGetTypeID() else { return nil }
            // The type was checked; a cast to a Core Foundation type cannot fail otherwise.
            return unsafeDowncast(result, to: SecIdentity.self)
        case errSecItemNotFound: return nil
        default: throw KeychainError("find", "the identity", status)
        }
    }
}
