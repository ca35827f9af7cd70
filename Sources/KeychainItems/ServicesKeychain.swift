import Foundation

#if canImport(Darwin)
    import Security
#else
    import KeychainServices
#endif

/// The keychain behind `SecItemAdd` and the other `SecItem` functions.
///
/// ```swift
/// let token = ItemAddress.genericPassword(service: "api", account: "token")
/// let item = try ServicesKeychain().read(token)
/// ```
public struct ServicesKeychain: Keychain {
    /// One of a Mac's two keychains.
    ///
    /// ```swift
    /// let old = ServicesKeychain(.fileBased)
    /// ```
    public enum Implementation: Sendable, Hashable {
        /// The data protection keychain, the only one outside macOS.
        case dataProtection
        /// The file-based keychain of macOS, which programs should leave.
        case fileBased
    }

    /// The keychain that this value uses.
    public let implementation: Implementation

    /// Creates a connection to the keychain of the running program.
    public init(_ implementation: Implementation = .dataProtection) {
        self.implementation = implementation
    }

    /// Returns an item with its secret, or nil only if there is no such item.
    ///
    /// - Throws: ``KeychainFailure``.
    public func read(_ address: ItemAddress) throws(KeychainFailure) -> KeychainItem? {
        var query = query(address)
        query[kSecReturnAttributes as String] = true
        query[kSecReturnPersistentRef as String] = true
        query[kSecReturnData as String] = true
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        guard status != errSecItemNotFound else { return nil }
        try require(status, .read)
        guard let found = result as? [String: Any] else {
            throw KeychainFailure(.read, status: errSecInternalComponent)
        }
        return KeychainItem(found, kind: address.kind)
    }

    /// Returns whether an item exists, without a prompt.
    public func exists(_ address: ItemAddress) throws(KeychainFailure) -> Bool {
        var query = query(address)
        query[kSecUseAuthenticationUI as String] = Self.failInsteadOfAsking
        let status = SecItemCopyMatching(query as CFDictionary, nil)
        // An item that needs a prompt, or is locked, exists.
        guard status != errSecInteractionNotAllowed else { return true }
        guard status != errSecItemNotFound else { return false }
        try require(status, .read)
        return true
    }

    /// Returns the items of a scope without their secrets.
    public func list(
        _ scope: ItemScope,
        gated: GatedItems
    ) throws(KeychainFailure) -> [KeychainItem] {
        var items: [KeychainItem] = []
        for kind in scope.kinds {
            for var query in queries(kind, scope) {
                query[kSecMatchLimit as String] = kSecMatchLimitAll
                query[kSecReturnAttributes as String] = true
                query[kSecReturnPersistentRef as String] = true
                if gated == .leaveOut {
                    query[kSecUseAuthenticationUI as String] = kSecUseAuthenticationUISkip
                }
                items += try found(query).map { KeychainItem($0, kind: kind) }
            }
        }
        return items
    }

    private func found(_ query: [String: Any]) throws(KeychainFailure) -> [[String: Any]] {
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        guard status != errSecItemNotFound else { return [] }
        try require(status, .list)
        return result as? [[String: Any]] ?? []
    }

    /// Returns whether a scope has items that need a prompt, without prompting.
    public func hasGatedItems(_ scope: ItemScope) throws(KeychainFailure) -> Bool {
        for kind in scope.kinds {
            for var query in queries(kind, scope) {
                query[kSecMatchLimit as String] = kSecMatchLimitAll
                query[kSecReturnAttributes as String] = true
                query[kSecUseAuthenticationUI as String] = kSecUseAuthenticationUISkip
                // This call reports an error if items are out of reach for another reason.
                _ = try found(query)
                query[kSecUseAuthenticationUI as String] = Self.failInsteadOfAsking
                let status = SecItemCopyMatching(query as CFDictionary, nil)
                if status == errSecInteractionNotAllowed { return true }
            }
        }
        return false
    }

    /// `kSecUseAuthenticationUIFail`; its successor needs an object of another framework.
    private static let failInsteadOfAsking = "u_AuthUIF"

    /// Returns one query for each service and group of a scope.
    private func queries(_ kind: ItemKind, _ scope: ItemScope) -> [[String: Any]] {
        var base = base(kind)
        base[kSecAttrSynchronizable as String] = kSecAttrSynchronizableAny
        var queries = [base]
        if let services = scope.services {
            // Only generic passwords have a service.
            guard kind == .genericPassword else { return [] }
            queries = services.map { service in
                base.merging([kSecAttrService as String: service]) { $1 }
            }
        }
        guard let groups = scope.accessGroups else { return queries }
        return queries.flatMap { query in
            groups.map { query.merging([kSecAttrAccessGroup as String: $0]) { $1 } }
        }
    }

    /// Adds an item, and fails if one with the same primary key exists.
    public func add(_ item: KeychainItem) throws(KeychainFailure) {
        var attributes = base(item.kind)
        for (name, value) in item.attributes { attributes[name.rawValue] = value.object }
        attributes[kSecValueData as String] = item.value?.copyBytesUnprotected()
        if let control = item.accessControl {
            guard let made = SecAccessControl.make(control) else {
                throw KeychainFailure(.add, status: errSecParam)
            }
            attributes[kSecAttrAccessControl as String] = made
        } else if let accessibility = item.accessibility {
            attributes[kSecAttrAccessible as String] = accessibility.rawValue
        }
        try require(SecItemAdd(attributes as CFDictionary, nil), .add)
        if let created = item.created { keepDate(created, of: item.address) }
    }

    /// Keeps the creation date of a moved item, if the keychain permits that in an update.
    ///
    /// Otherwise the item has the new date. It is complete without the old one, and a migration
    /// compares the dates afterwards.
    private func keepDate(_ created: Date, of address: ItemAddress) {
        let change = [kSecAttrCreationDate as String: created]
        // keychain-lint:disable:next ignored-status -- an item without its old date is complete
        _ = SecItemUpdate(query(address) as CFDictionary, change as CFDictionary)
    }

    /// Changes an item in place, except its primary key.
    public func update(
        _ address: ItemAddress,
        _ change: ItemChange
    ) throws(KeychainFailure) {
        var changes: [String: Any] = [:]
        for (name, value) in change.attributes { changes[name.rawValue] = value.object }
        if let accessibility = change.accessibility {
            changes[kSecAttrAccessible as String] = accessibility.rawValue
        }
        changes[kSecValueData as String] = change.value?.copyBytesUnprotected()
        try require(
            SecItemUpdate(query(address) as CFDictionary, changes as CFDictionary),
            .update
        )
    }

    /// Deletes an item; a missing item is no error.
    public func delete(_ address: ItemAddress) throws(KeychainFailure) {
        try remove(query(address))
    }

    /// Deletes a listed item; a missing item is no error.
    public func delete(_ item: KeychainItem) throws(KeychainFailure) {
        guard let reference = item.reference else { return try delete(item.address) }
        var query = base(item.kind)
        query[kSecValuePersistentRef as String] = reference
        try remove(query)
    }

    /// Deletes all items of a scope, including synchronizable and gated ones, without a prompt.
    public func deleteAll(_ scope: ItemScope) throws(KeychainFailure) {
        for kind in scope.kinds {
            for query in queries(kind, scope) { try remove(query) }
        }
    }

    private func remove(_ query: [String: Any]) throws(KeychainFailure) {
        let status = SecItemDelete(query as CFDictionary)
        guard status != errSecItemNotFound else { return }
        try require(status, .delete)
    }

    private func base(_ kind: ItemKind) -> [String: Any] {
        var query: [String: Any] = [kSecClass as String: kind.rawValue]
        #if os(macOS)
            query[kSecUseDataProtectionKeychain as String] = implementation == .dataProtection
        #endif
        return query
    }

    private func query(_ address: ItemAddress) -> [String: Any] {
        var query = base(address.kind)
        for (name, value) in address.attributes { query[name.rawValue] = value.object }
        return query
    }

    private func require(
        _ status: OSStatus,
        _ operation: KeychainFailure.Operation
    ) throws(KeychainFailure) {
        guard status == errSecSuccess else {
            throw KeychainFailure(operation, status: status)
        }
    }

    static func message(of status: OSStatus) -> String {
        (SecCopyErrorMessageString(status, nil) as String?) ?? "OSStatus"
    }
}

extension KeychainItem {
    /// Creates an item from the dictionary of Keychain Services.
    init(_ dictionary: [String: Any], kind: ItemKind) {
        self.init(kind: kind)
        for (name, object) in dictionary where !ItemAttribute.notCarried.contains(name) {
            attributes[ItemAttribute(rawValue: name)] = ItemValue(object)
        }
        accessibility = (dictionary[kSecAttrAccessible as String] as? String)
            .map(ItemAccessibility.init(rawValue:))
        created = dictionary[kSecAttrCreationDate as String] as? Date
        reference = dictionary[kSecValuePersistentRef as String] as? Data
        value = (dictionary[kSecValueData as String] as? Data).map(SecretBytes.init)
        takeConstraints(dictionary[kSecAttrAccessControl as String] as AnyObject?)
    }

    private mutating func takeConstraints(_ object: AnyObject?) {
        guard let object, CFGetTypeID(object) == SecAccessControlGetTypeID() else { return }
        let control = ItemAccessControl(recognizing: object, near: accessibility)
        hasUnknownConstraints = control == nil
        // Without flags, it contains no more than the accessibility.
        accessControl = control?.flags == 0 ? nil : control
        accessibility = accessibility ?? control?.accessibility
    }
}
