import Foundation

#if canImport(Darwin)
    import Security
#else
    import KeychainServices
#endif

/// A new secret that waits beside the old one until you confirm it.
///
/// ```swift
/// let rotation = try vault.rotate(.apiKey, to: newKey)
/// try await server.accept(newKey)      // the item still has the old key
/// try rotation.confirm()               // now it has the new one
/// ```
///
/// If the process ends in between, both secrets exist at the next start. Ask the server which of
/// them it accepts:
///
/// ```swift
/// if let rotation = try vault.pendingRotation(of: .apiKey) {
///     let isAccepted = try await server.accepts(rotation.newValue(as: String.self))
///     try isAccepted ? rotation.confirm() : rotation.cancel()
/// }
/// ```
public struct Rotation<Item: SecretItem>: Sendable {
    /// The item, which has its old secret until ``confirm()``.
    public let item: Item
    let vault: Vault
    /// The vault of the item's own group, so that no other group can supply a new secret.
    let home: Vault
    let waiting: Password

    /// Returns the new secret as a value.
    ///
    /// - Throws: ``VaultError`` with the reason ``VaultError/Reason/notFound`` if the rotation was
    ///   confirmed or canceled.
    public func newValue<Value: Decodable>(
        as type: Value.Type = Value.self
    ) throws(VaultError) -> Value {
        guard let value: Value = try home.read(waiting) else {
            throw VaultError(errSecItemNotFound, .rotate, item)
        }
        return value
    }

    /// Makes the new secret the item's secret, and forgets the old one.
    public func confirm() throws(VaultError) {
        guard let bytes = try home.data(waiting) else {
            throw VaultError(errSecItemNotFound, .rotate, item)
        }
        // A kill between the two leaves the new secret in both places. Then `confirm` can be
        // repeated.
        try vault.saveBytes(bytes, in: item, .rotate)
        try home.delete(waiting)
    }

    /// Forgets the new secret; the item keeps the old one.
    public func cancel() throws(VaultError) { try home.delete(waiting) }
}

extension Vault {
    /// Stores a new secret beside the old one of an item.
    ///
    /// - Throws: ``VaultError`` with the reason ``VaultError/Reason/notFound`` if the item has no
    ///   secret yet, and ``VaultError/Reason/duplicate`` if a rotation waits already. An item with
    ///   a constraint is refused, because its new secret would wait without that constraint.
    public func rotate<Item: SecretItem>(
        _ item: Item,
        to value: some Encodable
    ) throws(VaultError) -> Rotation<Item> {
        guard item.protection.constraint == nil else {
            let advice = "Only an item without a constraint can be rotated."
            throw VaultError(.invalid, .rotate, item, advice)
        }
        guard let rotation = try rotation(of: item) else {
            throw VaultError(errSecItemNotFound, .rotate, item)
        }
        try rotation.home.create(value, in: rotation.waiting)
        return rotation
    }

    /// Returns the rotation of an item that neither was confirmed nor canceled; nil if none waits.
    ///
    /// A new secret waits in the access group of the item. If there is no such item, none waits.
    public func pendingRotation<Item: SecretItem>(
        of item: Item
    ) throws(VaultError) -> Rotation<Item>? {
        guard let rotation = try rotation(of: item),
            try rotation.home.attributes(of: rotation.waiting) != nil
        else { return nil }
        return rotation
    }

    static var waitingService: String { "Vault.rotation" }

    /// Returns the rotation of an item, even if none waits; nil if there is no such item.
    private func rotation<Item: SecretItem>(
        of item: Item
    ) throws(VaultError) -> Rotation<Item>? {
        guard let attributes = try attributes(of: item) else { return nil }
        let group = attributes.text(kSecAttrAccessGroup) ?? accessGroup
        let waiting = Password(
            service: Self.waitingService,
            account: item.address.identifier,
            protection: Protection(item.protection.availability)
        )
        let home = Vault(accessGroup: group, calls: calls)
        return Rotation(item: item, vault: self, home: home, waiting: waiting)
    }

    /// Returns the attributes of an item without its secret; nil if there is no such item.
    private func attributes(
        of item: some SecretItem
    ) throws(VaultError) -> ListedAttributes? {
        guard var query = try located(item, .rotate) else { return nil }
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        query[kSecReturnAttributes as String] = true
        query[kSecUseAuthenticationContext as String] = SilentContext.shared.context
        let (status, object) = calls.found(query)
        if status == errSecItemNotFound { return nil }
        try require(status, .rotate, item)
        return ListedAttributes(object as? [String: Any] ?? [:])
    }
}

extension ItemName {
    /// The whole name as a text, which is unique.
    var identifier: String {
        let parts = attributes.map { name, value in
            switch value {
            case .text(let text): "\(name)=\(Data(text.utf8).base64EncodedString())"
            case .number(let number): "\(name)=\(number)"
            case .bytes(let bytes): "\(name)=\(bytes.base64EncodedString())"
            }
        }
        return ([sort.rawValue, isSynced ? "synced" : "local"] + parts.sorted())
            .joined(separator: ";")
    }
}
