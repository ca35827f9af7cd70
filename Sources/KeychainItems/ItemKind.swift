import Foundation

/// The class of an item.
///
/// ```swift
/// let scope = ItemScope(kinds: [.genericPassword, .internetPassword])
/// ```
public enum ItemKind: String, Codable, Sendable, Hashable, CaseIterable {
    /// A generic password, `kSecClassGenericPassword`.
    case genericPassword = "genp"
    /// An internet password, `kSecClassInternetPassword`.
    case internetPassword = "inet"
    /// A certificate, `kSecClassCertificate`.
    case certificate = "cert"
    /// A key, `kSecClassKey`.
    case key = "keys"
    /// An identity, `kSecClassIdentity`, which the keychain stores as a certificate and a key.
    case identity = "idnt"

    /// The kinds that the keychain stores; an identity consists of two of them.
    public static let stored: [ItemKind] = [
        .genericPassword, .internetPassword, .certificate, .key,
    ]

    /// The attributes that identify an item of the kind, together with access group and
    /// synchronizability.
    package var primaryKey: [ItemAttribute] {
        switch self {
        case .genericPassword: [.service, .account]
        case .internetPassword:
            [
                .server, .account, .securityDomain, .protocolName, .authenticationType, .port,
                .path,
            ]
        case .certificate: [.certificateType, .issuer, .serialNumber]
        case .key:
            [
                .keyClass, .applicationLabel, .applicationTag, .keyType, .keySize,
                .effectiveKeySize,
            ]
        case .identity: []
        }
    }
}

/// An attribute, by its name in Keychain Services' dictionaries, such as `acct`.
///
/// ```swift
/// let account: ItemAttribute = .account
/// let hint = ItemAttribute(rawValue: kSecAttrSyncViewHint as String)
/// ```
public struct ItemAttribute: RawRepresentable, Codable, CodingKeyRepresentable, Hashable, Sendable {
    /// The value of the constant, such as that of `kSecAttrAccount`.
    public let rawValue: String

    /// Creates an attribute from the value of its constant.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The access group, `kSecAttrAccessGroup`.
    public static let accessGroup = ItemAttribute(rawValue: "agrp")
    /// The synchronizability, `kSecAttrSynchronizable`.
    public static let synchronizable = ItemAttribute(rawValue: "sync")
    /// The service, `kSecAttrService`.
    public static let service = ItemAttribute(rawValue: "svce")
    /// The account, `kSecAttrAccount`.
    public static let account = ItemAttribute(rawValue: "acct")
    /// The server, `kSecAttrServer`.
    public static let server = ItemAttribute(rawValue: "srvr")
    /// The security domain, `kSecAttrSecurityDomain`.
    public static let securityDomain = ItemAttribute(rawValue: "sdmn")
    /// The protocol, `kSecAttrProtocol`.
    public static let protocolName = ItemAttribute(rawValue: "ptcl")
    /// The authentication scheme, `kSecAttrAuthenticationType`.
    public static let authenticationType = ItemAttribute(rawValue: "atyp")
    /// The port, `kSecAttrPort`.
    public static let port = ItemAttribute(rawValue: "port")
    /// The path, `kSecAttrPath`.
    public static let path = ItemAttribute(rawValue: "path")
    /// The label, `kSecAttrLabel`.
    public static let label = ItemAttribute(rawValue: "labl")
    /// The comment, `kSecAttrComment`.
    public static let comment = ItemAttribute(rawValue: "icmt")
    /// A description of the kind of item, `kSecAttrDescription`.
    public static let description = ItemAttribute(rawValue: "desc")
    /// The application's data, `kSecAttrGeneric`.
    public static let generic = ItemAttribute(rawValue: "gena")

    static let certificateType = ItemAttribute(rawValue: "ctyp")
    static let issuer = ItemAttribute(rawValue: "issr")
    static let serialNumber = ItemAttribute(rawValue: "slnr")
    static let keyClass = ItemAttribute(rawValue: "kcls")
    static let applicationLabel = ItemAttribute(rawValue: "klbl")
    static let applicationTag = ItemAttribute(rawValue: "atag")
    static let keyType = ItemAttribute(rawValue: "type")
    static let keySize = ItemAttribute(rawValue: "bsiz")
    static let effectiveKeySize = ItemAttribute(rawValue: "esiz")
    package static let tokenID = ItemAttribute(rawValue: "tkid")
    package static let isExtractable = ItemAttribute(rawValue: "extr")

    /// The attributes that the system maintains, and those with a property of their own in
    /// ``KeychainItem``.
    static let notCarried: Set<String> = [
        "class", "v_Data", "v_Ref", "v_PersistentRef", "cdat", "mdat", "tomb", "musr", "pdmn",
        "accc", "sha1", "UUID", "persistref",
    ]
}

/// The value of an attribute.
///
/// ```swift
/// let attributes: [ItemAttribute: ItemValue] = [.account: "alice", .port: 443]
/// ```
public enum ItemValue: Codable, Hashable, Sendable {
    /// Text.
    case text(String)
    /// Bytes.
    case data(Data)
    /// A number; Booleans are 0 and 1.
    case number(Int64)
    /// A date.
    case date(Date)

    init?(_ object: Any) {
        switch object {
        case let text as String: self = .text(text)
        case let date as Date: self = .date(date)
        case let number as NSNumber: self = .number(number.int64Value)
        case let data as Data: self = .data(data)
        default: return nil
        }
    }

    var object: Any {
        switch self {
        case .text(let text): text
        case .data(let data): data
        case .number(let number): NSNumber(value: number)
        case .date(let date): date
        }
    }
}

extension ItemValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    /// Creates text from a literal.
    public init(stringLiteral text: String) { self = .text(text) }
    /// Creates a number from a literal.
    public init(integerLiteral number: Int64) { self = .number(number) }
}

extension ItemValue: CustomStringConvertible {
    /// The text, number or date, or the number of bytes.
    public var description: String {
        switch self {
        case .text(let text): text
        case .data(let data): "‹\(data.count) bytes›"
        case .number(let number): String(number)
        case .date(let date): ISO8601DateFormatter().string(from: date)
        }
    }
}
