import CoreFoundation
import Cryptography
import KeyRepresentation
import KeychainHost
import KeychainModel
import Secrets

/// Reads the identities in a PKCS#12 file.
///
/// The call stores nothing unless the options set `kSecUseDataProtectionKeychain` to true. Then it
/// stores every identity with its chain in one transaction, and does not change items that exist
/// already.
///
/// - Parameters:
///   - pkcs12_data: the whole file.
///   - options: `kSecImportExportPassphrase`; without it the password is empty.
///   - items: receives an array with one dictionary for each identity. Its keys are
///     `kSecImportItemIdentity`, `kSecImportItemCertChain` and `kSecImportItemTrust`. The array is
///     empty if the file contains only certificates.
/// - Returns: `errSecSuccess`; `errSecAuthFailed` for a wrong password; `errSecDecode` for a
///   damaged file; `errSecUnimplemented` for a file that uses an unsupported algorithm.
/// - Source: RFC 7292; Apple's source, SecPKCS12.c (Security-61901).
@discardableResult
public func SecPKCS12Import(
    _ pkcs12_data: CFData,
    _ options: CFDictionary,
    _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    do throws(KeychainError) {
        let archive = try PKCS12Import.read(pkcs12_data, options)
        let identities = archive.identities.map { PKCS12Import.Entry($0, in: archive) }
        if options[kSecUseDataProtectionKeychain] as? Bool == true {
            for entry in identities { try entry.store(options) }
        }
        items.pointee = NSArray(
            array: try identities.map { entry throws(KeychainError) in
                try entry.dictionary()
            }
        )
        return errSecSuccess
    } catch {
        return error.status.rawValue
    }
}

private enum PKCS12Import {
    static func read(
        _ data: CFData,
        _ options: CFDictionary
    ) throws(KeychainError) -> PKCS12Archive {
        try fromPKCS12(
            try PKCS12Archive(parsing: data.byteArray, password: password(in: options))
        )
    }

    private static func password(in options: CFDictionary) -> Secret {
        guard let text = options[kSecImportExportPassphrase] as? String else {
            return Secret(copying: [])
        }
        return Secret(copying: Array(text.utf8))
    }

    /// One identity of the file with the certificates above it.
    struct Entry {
        let identity: SecIdentity
        let chain: [SecCertificate]

        init(_ found: PKCS12Archive.Identity, in archive: PKCS12Archive) {
            let certificate = found.certificate.certificate
            identity = SecIdentity(
                SecCertificate(certificate),
                SecKey(.privateKey(found.key.privateKey))
            )
            chain = certificate.chain(among: archive.certificates.map(\.certificate))
                .map(SecCertificate.init)
        }

        func dictionary() throws(KeychainError) -> NSDictionary {
            var trust: SecTrust?
            let policy = SecPolicyCreateBasicX509()
            let status = SecTrustCreateWithCertificates(NSArray(array: chain), policy, &trust)
            guard let trust else { throw KeychainError(.init(rawValue: status), "no trust object") }
            return [
                kSecImportItemIdentity: identity,
                kSecImportItemCertChain: NSArray(array: chain),
                kSecImportItemTrust: trust,
            ]
        }

        /// Adds both halves and the certificates above, in one transaction; duplicates stay.
        func store(_ options: CFDictionary) throws(KeychainError) {
            var attributes = DictionaryBridge.attributes(of: options)
            attributes.values.removeValue(forKey: kSecImportExportPassphrase as String)
            let halves = try ReferenceExpansion.adding(identity.reference, to: attributes)
            let above = chain.dropFirst().map {
                ReferenceExpansion.adding($0.certificate, to: attributes)
            }
            _ = try RequestRouter.endpoint().send(.addAll(halves + above, duplicates: .tolerated))
        }
    }
}
