import Foundation

#if canImport(Darwin)
    import LocalAuthentication
    import Security
#else
    import KeychainAuthentication
    import KeychainServices
#endif

extension Vault {
    /// Saves a value in an item: updates the item, or adds it if there is none.
    ///
    /// Texts are stored as UTF-8 and `Data` as it is, every other type as JSON. An update changes
    /// the item in place, so that there is no moment without a value. It also sets the availability
    /// that the description names. A constraint is set when the item is added, and no update
    /// changes it. A value of nil is refused: delete the item instead.
    ///
    /// ```swift
    /// try vault.save("t0ken", in: .refreshToken)
    /// try vault.save(Session(id: 7), in: .session)
    /// ```
    public func save(_ value: some Encodable, in item: some SecretItem) throws(VaultError) {
        try saveBytes(try encoded(value, .save, item), in: item, .save)
    }

    /// Saves a secret in an item: updates the item, or adds it if there is none.
    public func save(_ secret: borrowing Secret, in item: some SecretItem) throws(VaultError) {
        var bytes = secret.copyBytesUnprotected()
        defer { bytes.resetBytes(in: bytes.startIndex..<bytes.endIndex) }
        try saveBytes(bytes, in: item, .save)
    }

    /// Adds an item.
    ///
    /// - Throws: ``VaultError`` with the reason ``VaultError/Reason/duplicate`` if there is one.
    public func create(_ value: some Encodable, in item: some SecretItem) throws(VaultError) {
        let bytes = try encoded(value, .create, item)
        if try located(item, .create) != nil, accessGroup == nil {
            throw VaultError(errSecDuplicateItem, .create, item)
        }
        try require(addBytes(bytes, in: item), .create, item)
        note(.saved, item)
    }

    /// Deletes an item, even while it is out of reach; a missing item is no error.
    ///
    /// If an item is out of reach, a vault without an access group cannot count the groups that
    /// have it. It then deletes the item in every group of the program. Name the group if the
    /// program has several.
    ///
    /// - Returns: whether the item existed.
    @discardableResult
    public func delete(_ item: some SecretItem) throws(VaultError) -> Deletion {
        guard let query = try deletable(item) else { return .wasAbsent }
        let status = calls.delete(query as CFDictionary)
        if status == errSecItemNotFound { return .wasAbsent }
        try require(status, .delete, item)
        note(.deleted, item)
        return .deleted
    }

    private func deletable(_ item: some SecretItem) throws(VaultError) -> [String: Any]? {
        do throws(VaultError) {
            return try located(item, .delete)
        } catch  where error.status == errSecInteractionNotAllowed {
            return ItemDictionary.identity(item.address, in: accessGroup)
        }
    }

    /// The result of a deletion.
    public enum Deletion: String, Hashable, Codable, Sendable, CaseIterable {
        /// The item existed, and is deleted now.
        case deleted
        /// There was no such item.
        case wasAbsent
    }

    /// Returns the value of an item, or saves a new value if there is none.
    ///
    /// If two programs do this at the same moment, both get the value of the first one.
    ///
    /// ```swift
    /// let id = try vault.readOrCreate(.installation) { UUID().uuidString }
    /// ```
    public func readOrCreate<Value: Codable>(
        _ item: some SecretItem,
        _ make: () -> Value
    ) throws(VaultError) -> Value {
        if let value: Value = try read(item) { return value }
        let value = make()
        do throws(VaultError) {
            try create(value, in: item)
            return value
        } catch  where error.reason == .duplicate {
            // Another program was first, and its value counts.
            if let theirs: Value = try read(item) { return theirs }
            throw error
        }
    }

    /// Moves an item to another access group, in one step and without a read of its secret.
    ///
    /// ```swift
    /// try Vault().move(token, toGroup: "TEAMID1234.com.example.shared")
    /// ```
    /// - Throws: ``VaultError`` with the reason ``VaultError/Reason/notFound`` if there is no such
    ///   item here, and ``VaultError/Reason/duplicate`` if the other group already has one.
    public func move(_ item: some SecretItem, toGroup group: String) throws(VaultError) {
        guard var query = try located(item, .move) else {
            throw VaultError(errSecItemNotFound, .move, item)
        }
        query[kSecUseAuthenticationContext as String] = SilentContext.shared.context
        let change = [kSecAttrAccessGroup as String: group]
        let status = calls.update(query as CFDictionary, change as CFDictionary)
        try require(status, .move, item)
        note(.moved, item)
    }
}

extension Vault {
    func encoded(
        _ value: some Encodable,
        _ operation: VaultError.Operation,
        _ item: some SecretItem
    ) throws(VaultError) -> Data {
        do {
            return try ValueCoding.encode(value)
        } catch is ValueCoding.NoValue {
            let advice = "The value is nil. Delete the item instead."
            throw VaultError(.invalid, operation, item, advice)
        } catch {
            throw VaultError(.invalid, operation, item, "The value cannot be encoded as JSON.")
        }
    }

    /// Updates an item, or adds it if there is none.
    func saveBytes(
        _ bytes: Data,
        in item: some SecretItem,
        _ operation: VaultError.Operation,
        _ context: LAContext = SilentContext.shared.context
    ) throws(VaultError) {
        var status = try updateBytes(bytes, in: item, operation, context)
        if status == errSecItemNotFound { status = try addBytes(bytes, in: item) }
        if status == errSecDuplicateItem {
            // Another program added the item between the two calls.
            status = try updateBytes(bytes, in: item, operation, context)
        }
        try require(status, operation, item)
        note(.saved, item)
    }

    private func updateBytes(
        _ bytes: Data,
        in item: some SecretItem,
        _ operation: VaultError.Operation,
        _ context: LAContext
    ) throws(VaultError) -> OSStatus {
        guard var query = try located(item, operation, context) else { return errSecItemNotFound }
        guard var change = ItemDictionary.details(of: item, isNew: false) else {
            return errSecParam
        }
        query[kSecUseAuthenticationContext as String] = context
        change[kSecValueData as String] = bytes
        return calls.update(query as CFDictionary, change as CFDictionary)
    }

    /// Adds an item; without a group, the item belongs to the program's default group.
    func addBytes(_ bytes: Data, in item: some SecretItem) throws(VaultError) -> OSStatus {
        guard let details = ItemDictionary.details(of: item, isNew: true) else {
            return errSecParam
        }
        var new = ItemDictionary.identity(item.address, in: accessGroup)
        new.merge(details) { $1 }
        new[kSecValueData as String] = bytes
        return calls.add(new as CFDictionary, nil)
    }
}
