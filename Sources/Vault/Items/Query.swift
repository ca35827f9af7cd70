public import Foundation

#if canImport(Darwin)
    import Security
#else
    import KeychainServices
#endif

/// The items that a list returns, all of one kind.
///
/// ```swift
/// let tokens = try vault.list(.passwords(service: "api"))
/// let logins = try vault.list(.webLogins(server: "example.com").synced(.only))
/// ```
///
/// Attributes of another kind do not compile: `.passwords(server: "example.com")` is an error.
public struct Query<Item: ListedItem>: Hashable, Sendable {
    /// A choice between local and synchronized items.
    public enum Syncing: String, Hashable, Codable, Sendable, CaseIterable {
        /// Both local and synchronized items.
        case any
        /// Only items that the user's devices share.
        case only
        /// Only items of this device.
        case never

        var object: Any {
            switch self {
            case .any: kSecAttrSynchronizableAny
            case .only: true
            case .never: false
            }
        }
    }

    let attributes: [String: ItemName.Value]
    let syncing: Syncing

    private init(_ attributes: [String: ItemName.Value], _ syncing: Syncing) {
        self.attributes = attributes
        self.syncing = syncing
    }

    init(_ texts: [(CFString, String?)]) {
        let known = texts.compactMap { name, text in
            text.map { (name as String, ItemName.Value.text($0)) }
        }
        self.init(Dictionary(uniqueKeysWithValues: known), .any)
    }

    /// Returns the query for local items, for synchronized items, or for both.
    public func synced(_ syncing: Syncing) -> Query { Query(attributes, syncing) }
}

extension Query<Password> {
    /// The passwords of a service and an account; nil matches every one.
    public static func passwords(service: String? = nil, account: String? = nil) -> Query {
        Query([(kSecAttrService, service), (kSecAttrAccount, account)])
    }
}

extension Query<WebLogin> {
    /// The logins at a server and of an account; nil matches every one.
    public static func webLogins(server: String? = nil, account: String? = nil) -> Query {
        Query([(kSecAttrServer, server), (kSecAttrAccount, account)])
    }
}

extension Query<Certificate> {
    /// The certificates with a label; nil matches every one.
    public static func certificates(label: String? = nil) -> Query {
        Query([(kSecAttrLabel, label)])
    }
}

/// A kind of item that a ``Query`` lists.
///
/// Only the kinds of this module conform to it.
public protocol ListedItem: Hashable, Sendable {
    /// The kind of the item.
    static var sort: ItemSort { get }
    /// Creates the description of a listed item; nil if attributes are missing.
    init?(_ attributes: ListedAttributes)
}

/// The attributes of a listed item; only this module reads them.
public struct ListedAttributes: Sendable {
    private let texts: [String: String]
    private let bytes: [String: Data]
    private let numbers: [String: Int]
    private let dates: [String: Date]

    init(_ dictionary: [String: Any]) {
        texts = dictionary.compactMapValues { $0 as? String }
        bytes = dictionary.compactMapValues { $0 as? Data }
        numbers = dictionary.compactMapValues { ($0 as? NSNumber)?.intValue }
        dates = dictionary.compactMapValues { $0 as? Date }
    }

    /// Whether each of the names is absent or a text; an item with other bytes has no description.
    func areTexts(_ names: [CFString]) -> Bool {
        names.allSatisfy { text($0) != nil || data($0) == nil }
    }

    /// Returns a text, even if the keychain stores its bytes.
    func text(_ name: CFString) -> String? {
        texts[name as String] ?? data(name).flatMap { String(data: $0, encoding: .utf8) }
    }

    func data(_ name: CFString) -> Data? { bytes[name as String] }
    func number(_ name: CFString) -> Int? { numbers[name as String] }
    func date(_ name: CFString) -> Date? { dates[name as String] }

    /// The protection of the listed item; lists have no items with a constraint.
    var protection: Protection? {
        guard let constant = text(kSecAttrAccessible),
            let availability = Protection.Availability(constant: constant)
        else { return nil }
        let isSynced = number(kSecAttrSynchronizable) == 1
        return Protection(availability, reach: isSynced ? .synced : .local)
    }
}

/// An item of a list, without its secret.
///
/// ```swift
/// for found in try vault.list(.passwords(service: "api")) {
///     print(found.item.account, found.modified)
/// }
/// ```
public struct Found<Item: ListedItem>: Hashable, Sendable {
    /// The description, with which you can read or delete the item.
    public let item: Item
    /// The access group that has the item.
    public let accessGroup: String
    /// The date on which the item was added.
    public let created: Date?
    /// The date of the last change.
    public let modified: Date?

    init?(_ attributes: ListedAttributes) {
        guard let item = Item(attributes) else { return nil }
        self.item = item
        accessGroup = attributes.text(kSecAttrAccessGroup) ?? ""
        created = attributes.date(kSecAttrCreationDate)
        modified = attributes.date(kSecAttrModificationDate)
    }
}

extension Password: ListedItem {
    /// Creates the description of a listed password.
    public init?(_ attributes: ListedAttributes) {
        guard let protection = attributes.protection,
            attributes.areTexts([kSecAttrService, kSecAttrAccount])
        else { return nil }
        self.init(
            service: attributes.text(kSecAttrService) ?? "",
            account: attributes.text(kSecAttrAccount) ?? "",
            protection: protection,
            label: attributes.text(kSecAttrLabel),
            comment: attributes.text(kSecAttrComment)
        )
    }
}

extension WebLogin: ListedItem {
    /// Creates the description of a listed login; nil for a protocol without a ``Scheme``.
    public init?(_ attributes: ListedAttributes) {
        let method = attributes.text(kSecAttrAuthenticationType)
        guard let protection = attributes.protection, let server = attributes.text(kSecAttrServer),
            let name = attributes.text(kSecAttrProtocol),
            let scheme = Scheme.allCases.first(where: { $0.constant as String == name }),
            let method = Method.allCases.first(where: { $0.constant as String == method }),
            attributes.areTexts([kSecAttrAccount, kSecAttrPath, kSecAttrSecurityDomain])
        else { return nil }
        self.init(
            server: server,
            account: attributes.text(kSecAttrAccount) ?? "",
            scheme: scheme,
            port: attributes.number(kSecAttrPort) ?? 0,
            path: attributes.text(kSecAttrPath) ?? "",
            realm: attributes.text(kSecAttrSecurityDomain) ?? "",
            method: method,
            protection: protection,
            label: attributes.text(kSecAttrLabel),
            comment: attributes.text(kSecAttrComment)
        )
    }
}

extension Vault {
    /// Returns the items that match a query, without their secrets.
    ///
    /// The list leaves out items that need an ``Approval``, because even their attributes need
    /// one. The notes of transactions and the secrets of rotations are listed only by their
    /// service. The list also leaves out items that no description of this module names exactly,
    /// such as logins without a protocol.
    public func list<Item: ListedItem>(
        _ query: Query<Item>
    ) throws(VaultError) -> [Found<Item>] {
        var dictionary = ItemDictionary.base(Item.sort)
        for (name, value) in query.attributes { dictionary[name] = value.object }
        dictionary[kSecAttrSynchronizable as String] = query.syncing.object
        if let accessGroup { dictionary[kSecAttrAccessGroup as String] = accessGroup }
        dictionary[kSecReturnAttributes as String] = true
        // A certificate is not a secret, and its description needs the whole value.
        if Item.sort == .certificate { dictionary[kSecReturnData as String] = true }
        dictionary[kSecMatchLimit as String] = kSecMatchLimitAll
        dictionary[kSecUseAuthenticationUI as String] = kSecUseAuthenticationUISkip
        let service = query.attributes[kSecAttrService as String]
        return try attributes(dictionary, Item.sort)
            .filter {
                service != nil || !ItemName.ownServices.contains($0.text(kSecAttrService) ?? "")
            }
            .compactMap(Found.init)
    }

    private func attributes(
        _ query: [String: Any],
        _ sort: ItemSort
    ) throws(VaultError) -> [ListedAttributes] {
        let (status, object) = calls.found(query)
        if status == errSecItemNotFound { return [] }
        guard status == errSecSuccess, let rows = object as? [[String: Any]] else {
            let status = status == errSecSuccess ? errSecInternalComponent : status
            throw VaultError(status, .list, sort, nil)
        }
        return rows.map(ListedAttributes.init)
    }
}
