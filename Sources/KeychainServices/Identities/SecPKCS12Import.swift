import CoreFoundation
import Cryptography
import KeychainHost
import KeychainModel
import KeychainReferences
import Secrets

/// Reads the identities of a PKCS#12 file.
///
/// Nothing is stored unless the options hold `kSecUseDataProtectionKeychain`; then every identity
/// and its chain is, and what is there already is left alone.
///
/// - Parameters:
///   - pkcs12_data: the whole file.
///   - options: `kSecImportExportPassphrase`; missing means an empty password.
///   - items: receives an array of dictionaries, one for each identity, with
///     `kSecImportItemIdentity`, `kSecImportItemCertChain` and `kSecImportItemTrust`; empty for a
///     file of certificates alone.
/// - Returns: `errSecSuccess`; `errSecAuthFailed` for a wrong password; `errSecDecode` for a file
///   that is damaged; `errSecUnimplemented` for one that uses something unknown.
/// - Source: Item classes guide; Certificate trust; Apple Security source (Security-61901).
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
        do throws(PKCS12Error) {
            return try PKCS12Archive(parsing: data.byteArray, password: password(in: options))
        } catch {
            throw KeychainError(error)
        }
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

        /// Both halves and the certificates above, in one transaction; duplicates stay.
        func store(_ options: CFDictionary) throws(KeychainError) {
            var attributes = DictionaryBridge.attributes(of: options)
            attributes.values.removeValue(forKey: kSecImportExportPassphrase as String)
            let halves = try ReferenceExpansion.adding(identity.reference, to: attributes)
            let above = chain.dropFirst().map {
                ReferenceExpansion.adding($0.certificate, to: attributes)
            }
            _ = try Connection.endpoint().send(.addAll(halves + above, duplicates: .tolerated))
        }
    }
}
