import Foundation

#if canImport(Darwin)
    import Security
#else
    import KeychainServices
#endif

/// The five kinds of items.
///
/// ```swift
/// let isLogin = error.sort == .webLogin
/// ```
public enum ItemSort: String, Hashable, Codable, Sendable, CaseIterable {
    /// A generic password: ``Password``.
    case password
    /// An internet password: ``WebLogin``.
    case webLogin
    /// A key: ``Key``.
    case key
    /// A certificate: ``Certificate``.
    case certificate
    /// A certificate with its private key: ``Identity``.
    case identity

    var itemClass: CFString {
        switch self {
        case .password: kSecClassGenericPassword
        case .webLogin: kSecClassInternetPassword
        case .key: kSecClassKey
        case .certificate: kSecClassCertificate
        case .identity: kSecClassIdentity
        }
    }
}

/// A description of an item that holds one secret: a ``Password`` or a ``WebLogin``.
///
/// The description names the item and says how it is protected. It contains no secret, so you can
/// print it, compare it, and keep it as a constant.
///
/// ```swift
/// extension SecretItem where Self == Password {
///     static var refreshToken: Password { Password(service: "api", account: "refresh-token") }
/// }
/// try Vault().save("t0ken", in: .refreshToken)
/// ```
public protocol SecretItem: Hashable, Codable, Sendable, CustomStringConvertible {
    /// The kind of the item.
    static var sort: ItemSort { get }
    /// The attributes that no two items of the kind share, in one access group.
    var address: ItemName { get }
    /// The conditions under which the item can be read.
    var protection: Protection { get }
    /// The name that lists show to the user; nil leaves the one that is stored.
    var label: String? { get }
    /// A comment; nil leaves the one that is stored.
    var comment: String? { get }
}

/// The attributes that identify one item inside an access group.
///
/// ```swift
/// let name = Password(service: "api", account: "token").address
/// print(name)  // password api/token
/// ```
public struct ItemName: Hashable, Codable, Sendable, CustomStringConvertible {
    package enum Value: Hashable, Codable, Sendable {
        case text(String)
        case number(Int)
        case bytes(Data)

        var object: Any {
            switch self {
            case .text(let text): text
            case .number(let number): number
            case .bytes(let bytes): bytes
            }
        }
    }

    /// The kind of the item.
    public let sort: ItemSort
    /// Values by the names of Keychain Services, such as `acct`.
    package let attributes: [String: Value]
    package let isSynced: Bool
    /// The kind and the name, such as `password api/token`; never a secret.
    public let description: String

    init(_ sort: ItemSort, _ attributes: [CFString: Value], isSynced: Bool, _ shown: String) {
        self.sort = sort
        self.attributes = Dictionary(
            uniqueKeysWithValues: attributes.map { ($0.key as String, $0.value) }
        )
        self.isSynced = isSynced
        description = "\(sort.rawValue) \(Self.line(shown))"
    }

    /// Returns a name as one line without control characters, so that a log or a terminal can show
    /// it.
    static func line(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            // A joiner is a part of an emoji.
            case .format where scalar == "\u{200D}": line.append(scalar)
            case .control, .format, .lineSeparator, .paragraphSeparator:
                line.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
            default: line.append(scalar)
            }
        }
        return String(line)
    }

    /// The services of the items that transactions and rotations use internally.
    static let ownServices: Set<String> = [Intent.service, Vault.waitingService]

    /// Whether a transaction or a rotation uses the item internally.
    var isOwn: Bool {
        guard case .text(let service)? = attributes[kSecAttrService as String] else { return false }
        return Self.ownServices.contains(service)
    }
}
