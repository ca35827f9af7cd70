public import Foundation

#if canImport(Darwin)
    import LocalAuthentication
    import Security
#else
    import KeychainAuthentication
    import KeychainServices
#endif

extension Vault {
    /// Returns the secret of an item as a value of any type, or nil if there is no such item.
    ///
    /// Texts are read as UTF-8 and `Data` as it is. Every other type is read as JSON.
    ///
    /// ```swift
    /// let token: String? = try vault.read(.refreshToken)
    /// let session = try vault.read(.session, as: Session.self)
    /// ```
    /// - Throws: ``VaultError``, among others with the reasons ``VaultError/Reason/locked``,
    ///   ``VaultError/Reason/approvalNeeded`` and ``VaultError/Reason/undecodable``.
    public func read<Value: Decodable>(
        _ item: some SecretItem,
        as type: Value.Type = Value.self
    ) throws(VaultError) -> Value? {
        try value(bytes(of: item, SilentContext.shared.context), of: item)
    }

    /// Returns the secret of an item as `Data`, or nil if there is no such item.
    public func data(_ item: some SecretItem) throws(VaultError) -> Data? {
        try bytes(of: item, SilentContext.shared.context)
    }

    /// Returns the secret of an item in memory that is wiped, or nil if there is no such item.
    public func secret(_ item: some SecretItem) throws(VaultError) -> Secret? {
        guard var bytes = try bytes(of: item, SilentContext.shared.context) else { return nil }
        return Secret(wiping: &bytes)
    }

    /// Returns whether an item exists and can be read, without a prompt.
    ///
    /// ```swift
    /// switch try vault.presence(of: .refreshToken) {
    /// case .absent: showLogin()
    /// case .outOfReach: return  // locked, or somebody must approve: not a logout
    /// case .readable: startSynchronizing()
    /// }
    /// ```
    public func presence(of item: some SecretItem) throws(VaultError) -> ItemPresence {
        do throws(VaultError) {
            return try bytes(of: item, SilentContext.shared.context) == nil ? .absent : .readable
        } catch  where error.status == errSecInteractionNotAllowed {
            return .outOfReach
        }
    }

    /// Returns the bytes of an item; every read calls this.
    func bytes(
        of item: some SecretItem,
        _ context: LAContext
    ) throws(VaultError) -> Data? {
        guard var query = try located(item, .read, context) else { return nil }
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        query[kSecUseAuthenticationContext as String] = context
        let (status, object) = calls.found(query)
        if status == errSecItemNotFound { return nil }
        try require(status, .read, item)
        guard let bytes = object as? Data else {
            throw VaultError(.undecodable, .read, item, "The item has no secret.")
        }
        return bytes
    }

    func value<Value: Decodable>(
        _ bytes: Data?,
        of item: some SecretItem
    ) throws(VaultError) -> Value? {
        guard let bytes else { return nil }
        do {
            return try ValueCoding.decode(Value.self, from: bytes)
        } catch {
            // The decoder's own error may quote the secret.
            let advice = "The stored bytes are not a \(Value.self). Another version saved them."
            throw VaultError(.undecodable, .read, item, advice)
        }
    }
}

/// Whether an item exists, and whether it can be read now.
///
/// ```swift
/// if try vault.presence(of: .refreshToken) == .absent { showLogin() }
/// ```
public enum ItemPresence: String, Hashable, Codable, Sendable, CaseIterable {
    /// There is no such item.
    case absent
    /// The item exists and can be read.
    case readable
    /// The item exists, but the device is locked or the user must approve.
    case outOfReach
}
