import Foundation

/// The class of an item.
public enum ItemKind: String, Codable, Sendable, Hashable, CaseIterable {
    /// `kSecClassGenericPassword`.
    case genericPassword = "genp"
    /// `kSecClassInternetPassword`.
    case internetPassword = "inet"
    /// `kSecClassCertificate`.
    case certificate = "cert"
    /// `kSecClassKey`.
    case key = "keys"
    /// `kSecClassIdentity`: a certificate together with its key, stored as those two.
    case identity = "idnt"

    /// The kinds that are stored; an identity is two of them.
    public static let stored: [ItemKind] = [
        .genericPassword, .internetPassword, .certificate, .key,
    ]

    /// What no two items of the kind share, beside access group and synchronizability.
    var primaryKey: [ItemAttribute] {
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

/// An attribute by the name it has in Keychain Services' dictionaries, such as `acct`.
public struct ItemAttribute: RawRepresentable, Codable, CodingKeyRepresentable, Hashable, Sendable {
    /// The value of the constant, such as that of `kSecAttrAccount`.
    public let rawValue: String

    /// Names an attribute by the value of its constant.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// `kSecAttrAccessGroup`.
    public static let accessGroup = ItemAttribute(rawValue: "agrp")
    /// `kSecAttrSynchronizable`.
    public static let synchronizable = ItemAttribute(rawValue: "sync")
    /// `kSecAttrService`.
    public static let service = ItemAttribute(rawValue: "svce")
    /// `kSecAttrAccount`.
    public static let account = ItemAttribute(rawValue: "acct")
    /// `kSecAttrServer`.
    public static let server = ItemAttribute(rawValue: "srvr")
    /// `kSecAttrSecurityDomain`.
    public static let securityDomain = ItemAttribute(rawValue: "sdmn")
    /// `kSecAttrProtocol`.
    public static let protocolName = ItemAttribute(rawValue: "ptcl")
    /// `kSecAttrAuthenticationType`.
    public static let authenticationType = ItemAttribute(rawValue: "atyp")
    /// `kSecAttrPort`.
    public static let port = ItemAttribute(rawValue: "port")
    /// `kSecAttrPath`.
    public static let path = ItemAttribute(rawValue: "path")
    /// `kSecAttrLabel`.
    public static let label = ItemAttribute(rawValue: "labl")
    /// `kSecAttrComment`.
    public static let comment = ItemAttribute(rawValue: "icmt")
    /// `kSecAttrDescription`.
    public static let description = ItemAttribute(rawValue: "desc")
    /// `kSecAttrGeneric`.
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
    static let tokenID = ItemAttribute(rawValue: "tkid")
    static let isExtractable = ItemAttribute(rawValue: "extr")

    /// What the system keeps itself, and what has a place of its own in ``KeychainItem``.
    static let notCarried: Set<String> = [
        "class", "v_Data", "v_Ref", "v_PersistentRef", "cdat", "mdat", "tomb", "musr", "pdmn",
        "accc", "sha1", "UUID", "persistref",
    ]

    /// What an internet password has no place for; reclassing carries it as the comment.
    static let onlyGeneric: Set<ItemAttribute> = [.service, .generic]
}

/// The value of an attribute.
public enum ItemValue: Codable, Hashable, Sendable {
    /// Text.
    case text(String)
    /// Bytes.
    case data(Data)
    /// A number; truth values are 0 and 1.
    case number(Int64)
    /// A moment.
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
    /// Text.
    public init(stringLiteral text: String) { self = .text(text) }
    /// A number.
    public init(integerLiteral number: Int64) { self = .number(number) }
}

extension ItemValue: CustomStringConvertible {
    /// The text or number itself; of bytes their number.
    public var description: String {
        switch self {
        case .text(let text): text
        case .data(let data): "‹\(data.count) bytes›"
        case .number(let number): String(number)
        case .date(let date): ISO8601DateFormatter().string(from: date)
        }
    }
}
