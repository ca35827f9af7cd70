import Foundation

#if canImport(Darwin)
    import LocalAuthentication
    import Security
#else
    import KeychainAuthentication
    import KeychainServices
#endif

/// The program's keychain, or the part of it in one access group.
///
/// ```swift
/// let vault = Vault()
/// let token = Password(service: "api", account: "token")
///
/// try vault.save("t0ken", in: token)              // adds or updates
/// let text: String? = try vault.read(token)       // nil: there is none
/// try vault.delete(token)
/// ```
///
/// Three rules hold for every function:
///
/// - It throws a ``VaultError`` and nothing else. A result of nil means that there is no such item.
/// - A function without `await` never shows a prompt. It throws
///   ``VaultError/Reason/approvalNeeded`` instead. Functions with an ``Approval`` are asynchronous
///   and may prompt.
/// - Any thread or task may call it. Each function leaves a whole item at every moment.
public struct Vault: Sendable {
    /// The access group of all items; nil for every group of the program.
    ///
    /// Without a group, new items go to the program's default group. If several groups have the
    /// item, calls throw ``VaultError/Reason/ambiguous`` and change none of them. `delete(_:)`
    /// has an exception.
    public let accessGroup: String?
    let calls: KeychainCalls
    let changeCenter: ChangeCenter

    /// Creates a vault; it makes no call yet.
    public init(accessGroup: String? = nil) {
        self.init(accessGroup: accessGroup, calls: .system)
    }

    init(accessGroup: String? = nil, calls: KeychainCalls) {
        self.accessGroup = accessGroup
        self.calls = calls
        changeCenter = .current
    }
}

extension Vault {
    /// Throws unless the status is success.
    func require(
        _ status: OSStatus,
        _ operation: VaultError.Operation,
        _ item: some SecretItem
    ) throws(VaultError) {
        guard status == errSecSuccess else { throw VaultError(status, operation, item) }
    }

    /// Returns the query for exactly one item that exists; nil if none does.
    ///
    /// A change through a query without a group would change the items of all groups.
    func located(
        _ item: some SecretItem,
        _ operation: VaultError.Operation,
        _ context: LAContext = SilentContext.shared.context
    ) throws(VaultError) -> [String: Any]? {
        let identity = ItemDictionary.identity(item.address, in: accessGroup)
        guard accessGroup == nil else { return identity }
        var query = identity
        query[kSecReturnPersistentRef as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitAll
        query[kSecUseAuthenticationContext as String] = context
        let (status, object) = calls.found(query)
        if status == errSecItemNotFound { return nil }
        try require(status, operation, item)
        guard let references = object as? [Data], let reference = references.first else {
            throw VaultError(errSecInternalComponent, operation, item)
        }
        guard references.count == 1 else {
            throw VaultError(.ambiguous, operation, item, VaultError.Reason.ambiguous.advice)
        }
        var one = ItemDictionary.base(item.address.sort)
        one[kSecValuePersistentRef as String] = reference
        return one
    }
}
