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
/// If the process ends in between, both secrets are there at the next start. Ask the server which
/// of them counts:
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
    let waiting: Password

    /// Returns the new secret as a value.
    ///
    /// - Throws: ``VaultError`` with the reason ``VaultError/Reason/notFound`` if the rotation was
    ///   confirmed or canceled.
    public func newValue<Value: Decodable>(
        as type: Value.Type = Value.self
    ) throws(VaultError) -> Value {
        guard let value: Value = try vault.read(waiting) else {
            throw VaultError(errSecItemNotFound, .rotate, item)
        }
        return value
    }

    /// Makes the new secret the item's secret, and forgets the old one.
    public func confirm() throws(VaultError) {
        guard let bytes = try vault.data(waiting) else {
            throw VaultError(errSecItemNotFound, .rotate, item)
        }
        // A kill between the two leaves the new secret in both places: confirm it again.
        try vault.saveBytes(bytes, in: item, .rotate)
        try vault.delete(waiting)
    }

    /// Forgets the new secret; the item keeps the old one.
    public func cancel() throws(VaultError) { try vault.delete(waiting) }
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
        guard try located(item, .rotate) != nil else {
            throw VaultError(errSecItemNotFound, .rotate, item)
        }
        let rotation = rotation(of: item)
        try create(value, in: rotation.waiting)
        return rotation
    }

    /// Returns the rotation of an item that neither was confirmed nor canceled; nil if none waits.
    public func pendingRotation<Item: SecretItem>(
        of item: Item
    ) throws(VaultError) -> Rotation<Item>? {
        let rotation = rotation(of: item)
        return try located(rotation.waiting, .rotate) == nil ? nil : rotation
    }

    static var waitingService: String { "Vault.rotation" }

    private func rotation<Item: SecretItem>(of item: Item) -> Rotation<Item> {
        let waiting = Password(
            service: Self.waitingService,
            account: item.address.identifier,
            protection: Protection(item.protection.availability)
        )
        return Rotation(item: item, vault: self, waiting: waiting)
    }
}

extension ItemName {
    /// The whole name as text, which no other item has.
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
