public import Foundation

#if canImport(Darwin)
    import Security
#else
    import KeychainServices
#endif

extension Vault {
    /// Stores a certificate; an existing one stays as it is.
    public func save(_ certificate: Certificate) throws(VaultError) {
        guard let object = SecCertificateCreateWithData(nil, certificate.der as CFData) else {
            throw VaultError(errSecDecode, .save, .certificate, certificate.description)
        }
        var item = ItemDictionary.base(.certificate)
        item[kSecValueRef as String] = object
        if let label = certificate.label { item[kSecAttrLabel as String] = label }
        if let accessGroup { item[kSecAttrAccessGroup as String] = accessGroup }
        let status = calls.add(item as CFDictionary, nil)
        guard status == errSecSuccess || status == errSecDuplicateItem else {
            throw VaultError(status, .save, .certificate, certificate.description)
        }
        note(.saved, certificate.address)
    }

    /// Deletes a certificate; a missing certificate is no error.
    @discardableResult
    public func delete(_ certificate: Certificate) throws(VaultError) -> Deletion {
        var query = ItemDictionary.identity(certificate.address, in: accessGroup)
        query[kSecAttrSynchronizable as String] = kSecAttrSynchronizableAny
        let status = calls.delete(query as CFDictionary)
        if status == errSecItemNotFound { return .wasAbsent }
        guard status == errSecSuccess else {
            throw VaultError(status, .delete, .certificate, certificate.description)
        }
        note(.deleted, certificate.address)
        return .deleted
    }

    /// Stores the identities of a PKCS #12 file, and returns them.
    ///
    /// - Throws: ``VaultError`` with the reason ``VaultError/Reason/notApproved`` if the passphrase
    ///   is wrong, and ``VaultError/Reason/undecodable`` if the file is no PKCS #12 file.
    @discardableResult
    public func importIdentities(
        pkcs12: Data,
        passphrase: borrowing Secret
    ) throws(VaultError) -> [Identity] {
        let text = String(decoding: passphrase.copyBytesUnprotected(), as: UTF8.self)
        let options = [kSecImportExportPassphrase as String: text]
        var items: CFArray?
        let status = SecPKCS12Import(pkcs12 as CFData, options as CFDictionary, &items)
        guard status == errSecSuccess, let items = items as? [[String: Any]] else {
            throw VaultError(status, .save, .identity, nil)
        }
        var identities: [Identity] = []
        for item in items {
            let object = item[kSecImportItemIdentity as String] as AnyObject
            guard CFGetTypeID(object) == SecIdentityGetTypeID() else { continue }
            let identity = try Identity(unsafeDowncast(object, to: SecIdentity.self))
            try store(identity)
            identities.append(identity)
        }
        return identities
    }

    /// Returns all identities.
    public func identities() throws(VaultError) -> [Identity] {
        var query = ItemDictionary.base(.identity)
        query[kSecReturnRef as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitAll
        query[kSecUseAuthenticationContext as String] = SilentContext.shared.context
        if let accessGroup { query[kSecAttrAccessGroup as String] = accessGroup }
        let (status, object) = calls.found(query)
        if status == errSecItemNotFound { return [] }
        guard status == errSecSuccess, let objects = object as? [AnyObject] else {
            throw VaultError(status, .list, .identity, nil)
        }
        var identities: [Identity] = []
        for object in objects where CFGetTypeID(object) == SecIdentityGetTypeID() {
            identities.append(try Identity(unsafeDowncast(object, to: SecIdentity.self)))
        }
        return identities
    }

    private func store(_ identity: Identity) throws(VaultError) {
        var item: [String: Any] = [
            kSecValueRef as String: identity.identity,
            kSecUseDataProtectionKeychain as String: true,
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
        if let accessGroup { item[kSecAttrAccessGroup as String] = accessGroup }
        let status = calls.add(item as CFDictionary, nil)
        // Importing the same file again changes nothing.
        guard status == errSecSuccess || status == errSecDuplicateItem else {
            throw VaultError(status, .save, .identity, identity.description)
        }
        note(.saved, identity.certificate.address)
    }
}
