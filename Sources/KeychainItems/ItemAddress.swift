import Foundation

/// The identity of one item: its kind and its primary key.
///
/// An address without an access group finds an item in all groups of the program, and creates it in
/// the default group. Accessibility is not part of an address, because a search by accessibility
/// misses items that exist.
///
/// ```swift
/// let token = ItemAddress.genericPassword(service: "api", account: "token")
/// ```
/// - Source: Migration guide, The Phantom Mismatch Bug.
public struct ItemAddress: Codable, Hashable, Sendable {
    /// The item's class.
    public let kind: ItemKind
    /// The known attributes of the primary key.
    public var attributes: [ItemAttribute: ItemValue]

    /// Creates the address of an item with these attributes of its primary key.
    public init(kind: ItemKind, attributes: [ItemAttribute: ItemValue]) {
        self.kind = kind
        self.attributes = attributes
    }

    /// Returns the address of a generic password.
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

    /// Returns the address of an internet password.
    ///
    /// The protocol is a value of `kSecAttrProtocol…`, such as `htps`. The address omits every
    /// argument that is nil.
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

    /// The access group, or nil if it is unknown.
    public var accessGroup: String? {
        get {
            guard case .text(let group)? = attributes[.accessGroup] else { return nil }
            return group
        }
        set { attributes[.accessGroup] = newValue.map(ItemValue.text) }
    }

    /// Whether the address names the synchronizable item, which is not the local item of the same
    /// name.
    public var isSynchronizable: Bool {
        get { attributes[.synchronizable] == .number(1) }
        set { attributes[.synchronizable] = newValue ? .number(1) : nil }
    }

    /// Returns the text of an attribute, or nil if it is missing or not text.
    public func text(_ name: ItemAttribute) -> String? {
        guard case .text(let text)? = attributes[name] else { return nil }
        return text
    }
}

extension ItemAddress {
    /// The whole address as text, unique to one item.
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
    /// The address in short, such as `genp(com.example.app, token)`.
    public var description: String {
        let known = kind.primaryKey.compactMap { attributes[$0]?.description }
        let group = accessGroup.map { [$0] } ?? []
        let synced = isSynchronizable ? ["synchronizable"] : []
        return "\(kind.rawValue)(\((known + group + synced).joined(separator: ", ")))"
    }
}

/// The items that an operation considers.
///
/// ```swift
/// let scope = ItemScope(kinds: [.genericPassword], services: ["com.example.app"])
/// ```
public struct ItemScope: Codable, Hashable, Sendable {
    /// The kinds of items.
    public var kinds: [ItemKind]
    /// The services of the items, or nil for all; with services, only generic passwords count.
    public var services: [String]?
    /// The access groups of the items, or nil for all.
    public var accessGroups: [String]?

    /// Creates a scope; it includes synchronizable and other items.
    public init(
        kinds: [ItemKind] = ItemKind.stored,
        services: [String]? = nil,
        accessGroups: [String]? = nil
    ) {
        self.kinds = kinds
        self.services = services
        self.accessGroups = accessGroups
    }

    /// Every item that the program can see.
    public static let everything = ItemScope()

    /// Returns whether an item is in the scope.
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
