import Foundation

/// What names one item: its kind and its primary key.
///
/// Without an access group, an item is looked for in all groups of the program and made in the
/// default one. Accessibility is no part of it: to search by it is to miss items that exist.
/// - Source: Migration guide, The Phantom Mismatch Bug.
public struct ItemAddress: Codable, Hashable, Sendable {
    /// The item's class.
    public let kind: ItemKind
    /// The primary key as far as it is known.
    public var attributes: [ItemAttribute: ItemValue]

    /// An item of a kind with these attributes of its primary key.
    public init(kind: ItemKind, attributes: [ItemAttribute: ItemValue]) {
        self.kind = kind
        self.attributes = attributes
    }

    /// A generic password.
    public static func genericPassword(
        service: String,
        account: String,
        accessGroup: String? = nil,
        isSynchronizable: Bool = false
    ) -> ItemAddress {
        var address = ItemAddress(
            kind: .genericPassword,
            attributes: [.service: .text(service), .account: .text(account)]
        )
        address.accessGroup = accessGroup
        address.isSynchronizable = isSynchronizable
        return address
    }

    /// An internet password.
    ///
    /// The protocol is a value of `kSecAttrProtocol…`, such as `htps`; what is nil is left out.
    public static func internetPassword(
        server: String,
        account: String,
        protocolName: String? = nil,
        port: Int? = nil,
        path: String? = nil,
        accessGroup: String? = nil,
        isSynchronizable: Bool = false
    ) -> ItemAddress {
        var address = ItemAddress(
            kind: .internetPassword,
            attributes: [.server: .text(server), .account: .text(account)]
        )
        address.attributes[.protocolName] = protocolName.map(ItemValue.text)
        address.attributes[.port] = port.map { .number(Int64($0)) }
        address.attributes[.path] = path.map(ItemValue.text)
        address.accessGroup = accessGroup
        address.isSynchronizable = isSynchronizable
        return address
    }

    /// The access group, if it is known.
    public var accessGroup: String? {
        get {
            guard case .text(let group)? = attributes[.accessGroup] else { return nil }
            return group
        }
        set { attributes[.accessGroup] = newValue.map(ItemValue.text) }
    }

    /// Whether the synchronizable item of this name is meant; it is another than the local one.
    public var isSynchronizable: Bool {
        get { attributes[.synchronizable] == .number(1) }
        set { attributes[.synchronizable] = newValue ? .number(1) : nil }
    }

    /// The text of an attribute, if it is text.
    public func text(_ name: ItemAttribute) -> String? {
        guard case .text(let text)? = attributes[name] else { return nil }
        return text
    }
}

extension ItemAddress {
    /// The whole address in one text, such as no other item has.
    public var identifier: String {
        let parts = attributes.map { name, value in
            switch value {
            case .data(let data): "\(name.rawValue)=\(data.base64EncodedString())"
            default: "\(name.rawValue)=\(value)"
            }
        }
        return ([kind.rawValue] + parts.sorted()).joined(separator: ";")
    }
}

extension ItemAddress: CustomStringConvertible {
    /// Such as `genp(com.example.app, token)`.
    public var description: String {
        let known = kind.primaryKey.compactMap { attributes[$0]?.description }
        let group = accessGroup.map { [$0] } ?? []
        let synced = isSynchronizable ? ["synchronizable"] : []
        return "\(kind.rawValue)(\((known + group + synced).joined(separator: ", ")))"
    }
}

/// Which items an operation looks at.
public struct ItemScope: Codable, Hashable, Sendable {
    /// The kinds.
    public var kinds: [ItemKind]
    /// Only items of these services, if given; then other kinds than generic passwords are out.
    public var services: [String]?
    /// Only items of these access groups, if given.
    public var accessGroups: [String]?

    /// Items of some kinds, optionally of some services and groups only; synchronizable or not.
    public init(
        kinds: [ItemKind] = ItemKind.stored,
        services: [String]? = nil,
        accessGroups: [String]? = nil
    ) {
        self.kinds = kinds
        self.services = services
        self.accessGroups = accessGroups
    }

    /// Every item that the program may see.
    public static let everything = ItemScope()

    /// Whether an item lies within.
    public func contains(_ address: ItemAddress) -> Bool {
        guard kinds.contains(address.kind) else { return false }
        if let services {
            guard let service = address.text(.service), services.contains(service) else {
                return false
            }
        }
        guard let accessGroups else { return true }
        return address.accessGroup.map(accessGroups.contains) ?? false
    }
}
