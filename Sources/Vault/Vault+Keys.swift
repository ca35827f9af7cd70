public import Foundation

#if canImport(Darwin)
    import LocalAuthentication
    import Security
#else
    import KeychainAuthentication
    import KeychainServices
#endif

extension Vault {
    /// Makes a key and stores it.
    ///
    /// - Throws: ``VaultError`` with the reason ``VaultError/Reason/duplicate`` if there is one
    ///   with this tag.
    @discardableResult
    public func make(_ key: Key) throws(VaultError) -> PrivateKey {
        guard try find(key, SilentContext.shared.context, .makeKey) == nil else {
            throw VaultError(errSecDuplicateItem, .makeKey, .key, key.description)
        }
        guard let attributes = attributes(of: key) else {
            throw VaultError(errSecParam, .makeKey, .key, key.description)
        }
        var error: Unmanaged<CFError>?
        guard let made = SecKeyCreateRandomKey(attributes as CFDictionary, &error) else {
            throw VaultError(taking: error, .makeKey, .key, key.description)
        }
        note(.saved, key.address)
        return PrivateKey(
            key: made,
            item: key.description,
            mayNeedApproval: key.protection.constraint != nil
        )
    }

    /// Returns a key, or nil if there is none with this tag.
    public func read(_ key: Key) throws(VaultError) -> PrivateKey? {
        try find(key, SilentContext.shared.context, .read)
    }

    /// Returns a key, and makes it if there is none with this tag.
    public func readOrMake(_ key: Key) throws(VaultError) -> PrivateKey {
        if let known = try read(key) { return known }
        return try make(key)
    }

    /// Returns a signature with a key, after the user's approval if the key needs one.
    ///
    /// ```swift
    /// let approval = Approval(reason: "Sign the order")
    /// let signature = try await vault.signature(for: order, with: signer, approval: approval)
    /// ```
    public func signature(
        for message: Data,
        with key: Key,
        approval: Approval
    ) async throws(VaultError) -> Data {
        try await approval.approve(key.protection, .useKeySign) { status, reason, sentence in
            let advice = "\(sentence) \(reason.advice)"
            let name = key.description
            return VaultError(status, .sign, .key, name, reason: reason, explanation: advice)
        }
        return try await PromptThreads.run { () throws(VaultError) in
            guard let found = try find(key, approval.context, .sign) else {
                throw VaultError(errSecItemNotFound, .sign, .key, key.description)
            }
            return try found.signature(for: message)
        }
    }

    /// Deletes every key with this tag; a missing key is no error.
    @discardableResult
    public func delete(_ key: Key) throws(VaultError) -> Deletion {
        let query = ItemDictionary.identity(key.address, in: accessGroup)
        let status = calls.delete(query as CFDictionary)
        if status == errSecItemNotFound { return .wasAbsent }
        guard status == errSecSuccess else {
            throw VaultError(status, .delete, .key, key.description)
        }
        note(.deleted, key.address)
        return .deleted
    }

    private func find(
        _ key: Key,
        _ context: LAContext,
        _ operation: VaultError.Operation
    ) throws(VaultError) -> PrivateKey? {
        var query = ItemDictionary.identity(key.address, in: accessGroup)
        query[kSecReturnRef as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitAll
        query[kSecUseAuthenticationContext as String] = context
        let (status, object) = calls.found(query)
        if status == errSecItemNotFound { return nil }
        guard let objects = object as? [AnyObject], let first = objects.first,
            CFGetTypeID(first) == SecKeyGetTypeID()
        else {
            throw VaultError(
                status == errSecSuccess ? errSecInternalComponent : status,
                operation,
                .key,
                key.description,
                reason: status == errSecInteractionNotAllowed && key.protection.constraint != nil
                    ? .approvalNeeded : nil
            )
        }
        if objects.count > 1 { try requireOneGroup(query, key, operation) }
        let found = unsafeDowncast(first, to: SecKey.self)
        guard operation == .makeKey || key.kind.fits(found) else {
            let advice = "The key with this tag is of another kind. Use another tag for this one."
            let status = errSecDecode
            throw VaultError(status, operation, .key, key.description, explanation: advice)
        }
        return PrivateKey(
            key: found,
            item: key.description,
            mayNeedApproval: key.protection.constraint != nil
        )
    }

    /// Refuses keys of several access groups, because one of them may be another program's.
    private func requireOneGroup(
        _ query: [String: Any],
        _ key: Key,
        _ operation: VaultError.Operation
    ) throws(VaultError) {
        guard accessGroup == nil else { return }
        var query = query
        query[kSecReturnRef as String] = nil
        query[kSecReturnAttributes as String] = true
        let rows = calls.found(query).object as? [[String: Any]] ?? []
        let groups = Set(rows.map { $0[kSecAttrAccessGroup as String] as? String })
        guard groups.count == 1 else {
            let status = errSecDuplicateItem
            throw VaultError(status, operation, .key, key.description, reason: .ambiguous)
        }
    }

    private func attributes(of key: Key) -> [String: Any]? {
        guard let control = control(of: key) else { return nil }
        var half: [String: Any] = [
            kSecAttrIsPermanent as String: true,
            kSecAttrApplicationTag as String: Data(key.tag.utf8),
            kSecAttrAccessControl as String: control,
        ]
        if key.protection.isSynced { half[kSecAttrSynchronizable as String] = true }
        if let accessGroup { half[kSecAttrAccessGroup as String] = accessGroup }
        var attributes: [String: Any] = [
            kSecAttrKeyType as String: key.kind.isRSA
                ? kSecAttrKeyTypeRSA : kSecAttrKeyTypeECSECPrimeRandom,
            kSecAttrKeySizeInBits as String: key.kind.bits,
            kSecUseDataProtectionKeychain as String: true,
            kSecPrivateKeyAttrs as String: half,
        ]
        if key.isInSecureEnclave {
            attributes[kSecAttrTokenID as String] = kSecAttrTokenIDSecureEnclave
        }
        return attributes
    }

    /// Returns the access control; a key of the Secure Enclave also needs the right to be used
    /// there.
    private func control(of key: Key) -> SecAccessControl? {
        var flags = key.protection.constraint?.flags ?? []
        if key.isInSecureEnclave { flags.insert(.privateKeyUsage) }
        return SecAccessControlCreateWithFlags(
            kCFAllocatorDefault,
            key.protection.availability.constant,
            flags,
            nil
        )
    }
}
