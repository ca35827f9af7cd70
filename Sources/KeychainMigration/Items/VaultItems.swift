public import Foundation
public import Vault

// The descriptions of `Vault` can be targets of a migration, so one declaration is enough.
extension Move {
    /// Creates a move of the value under a key to an item that a program describes for `Vault`.
    ///
    /// The new item is protected as its description says.
    ///
    /// ```swift
    /// let token = Password(service: "api", account: "token", protection: .afterFirstUnlock)
    /// let move = Move("session.token", from: old, to: token)
    /// // after the move
    /// let text: String? = try Vault().read(token)
    /// ```
    public init(
        _ key: String,
        from source: any LegacySource,
        to item: some SecretItem,
        title: String? = nil,
        conflict: ConflictPolicy = .report,
        transform: (@Sendable (Data) throws -> Data)? = nil
    ) {
        self.init(
            key,
            from: source,
            to: KeychainItem(item),
            title: title,
            conflict: conflict,
            transform: transform
        )
    }
}

extension KeychainItem {
    /// Creates an item without a value from a description of `Vault`.
    public init(_ item: some SecretItem) {
        let protection = item.protection
        let accessibility = ItemAccessibility(rawValue: protection.availability.code)
        self.init(at: ItemAddress(item), accessibility: accessibility)
        if let constraint = protection.constraint {
            accessControl = ItemAccessControl(
                accessibility: accessibility,
                flags: constraint.rawFlags
            )
        }
        attributes[.label] = item.label.map(ItemValue.text)
        attributes[.comment] = item.comment.map(ItemValue.text)
    }
}

extension ItemAddress {
    /// Creates the address of an item from a description of `Vault`.
    ///
    /// ```swift
    /// let isThere = try keychain.exists(ItemAddress(Password(service: "api", account: "token")))
    /// ```
    public init(_ item: some SecretItem) {
        let name = item.address
        let kind: ItemKind =
            switch name.sort {
            case .password: .genericPassword
            case .webLogin: .internetPassword
            case .key: .key
            case .certificate: .certificate
            case .identity: .identity
            }
        let attributes = name.attributes.map { name, value in
            let value: ItemValue =
                switch value {
                case .text(let text): .text(text)
                case .number(let number): .number(Int64(number))
                case .bytes(let bytes): .data(bytes)
                }
            return (ItemAttribute(rawValue: name), value)
        }
        self.init(kind: kind, attributes: Dictionary(uniqueKeysWithValues: attributes))
        isSynchronizable = name.isSynced
    }
}
