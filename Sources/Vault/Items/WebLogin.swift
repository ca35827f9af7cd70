#if canImport(Darwin)
    import Security
#else
    import KeychainServices
#endif

/// A user's login at a server, in the class of items that password AutoFill reads.
///
/// ```swift
/// let login = WebLogin(server: "example.com", account: "ada")
/// let mail = WebLogin(server: "mail.example.com", account: "ada", scheme: .imaps)
/// ```
///
/// Seven attributes identify an internet password. Every call names all of them. Therefore a login
/// for another path or port is another item. Without a protection, the item can be read while the
/// device is unlocked, and backups carry it.
public struct WebLogin: SecretItem {
    /// The kind, ``ItemSort/webLogin``.
    public static var sort: ItemSort { .webLogin }
    /// The name of the server, without scheme and path.
    public let server: String
    /// The user's name at the server.
    public let account: String
    /// The protocol.
    public let scheme: Scheme
    /// The port.
    public let port: Int
    /// The path on the server.
    public let path: String
    /// The realm of HTTP authentication, which Keychain Services call security domain.
    public let realm: String
    /// The method of the login.
    public let method: Method
    /// The conditions under which the item can be read.
    public let protection: Protection
    /// The name that lists show to the user; nil leaves the one that is stored.
    public let label: String?
    /// A comment; nil leaves the one that is stored.
    public let comment: String?

    /// Creates a description; nothing is stored yet.
    ///
    /// Without a port, the usual one of the scheme applies.
    public init(
        server: String,
        account: String,
        scheme: Scheme = .https,
        port: Int? = nil,
        path: String = "/",
        realm: String = "",
        method: Method = .form,
        protection: Protection = .whenUnlocked,
        label: String? = nil,
        comment: String? = nil
    ) {
        self.server = server
        self.account = account
        self.scheme = scheme
        self.port = port ?? scheme.usualPort
        self.path = path
        self.realm = realm
        self.method = method
        self.protection = protection
        self.label = label
        self.comment = comment
    }

    /// A protocol, with its usual port.
    public enum Scheme: String, Hashable, Codable, Sendable, CaseIterable {
        /// The web over TLS.
        case https
        /// The web without encryption.
        case http
        /// A remote shell.
        case ssh
        /// File transfer without encryption.
        case ftp
        /// File transfer over TLS.
        case ftps
        /// Mail boxes.
        case imap
        /// Mail boxes over TLS.
        case imaps
        /// Mail that moves to this machine.
        case pop3
        /// Mail that is sent.
        case smtp
        /// A directory of people and machines.
        case ldap
        /// Such a directory over TLS.
        case ldaps
        /// Files shared in a network of Windows machines.
        case smb

        /// The usual port, such as 443.
        public var usualPort: Int {
            switch self {
            case .https: 443
            case .http: 80
            case .ssh: 22
            case .ftp: 21
            case .ftps: 990
            case .imap: 143
            case .imaps: 993
            case .pop3: 110
            case .smtp: 25
            case .ldap: 389
            case .ldaps: 636
            case .smb: 445
            }
        }
    }

    /// A method of logging in.
    public enum Method: String, Hashable, Codable, Sendable, CaseIterable {
        /// A form on a page.
        case form
        /// HTTP's basic authentication.
        case basic
        /// HTTP's digest authentication.
        case digest
        /// The method that the server requests.
        case standard
    }

    /// The seven attributes that identify the login, and whether it is synchronized.
    public var address: ItemName {
        ItemName(
            .webLogin,
            [
                kSecAttrServer: .text(server),
                kSecAttrAccount: .text(account),
                kSecAttrProtocol: .text(scheme.constant as String),
                kSecAttrPort: .number(port),
                kSecAttrPath: .text(path),
                kSecAttrSecurityDomain: .text(realm),
                kSecAttrAuthenticationType: .text(method.constant as String),
            ],
            isSynced: protection.isSynced,
            "\(account)@\(server)"
        )
    }

    /// The kind and the name, such as `webLogin ada@example.com`.
    public var description: String { address.description }
}

extension WebLogin.Scheme {
    var constant: CFString {
        switch self {
        case .https: kSecAttrProtocolHTTPS
        case .http: kSecAttrProtocolHTTP
        case .ssh: kSecAttrProtocolSSH
        case .ftp: kSecAttrProtocolFTP
        case .ftps: kSecAttrProtocolFTPS
        case .imap: kSecAttrProtocolIMAP
        case .imaps: kSecAttrProtocolIMAPS
        case .pop3: kSecAttrProtocolPOP3
        case .smtp: kSecAttrProtocolSMTP
        case .ldap: kSecAttrProtocolLDAP
        case .ldaps: kSecAttrProtocolLDAPS
        case .smb: kSecAttrProtocolSMB
        }
    }
}

extension WebLogin.Method {
    var constant: CFString {
        switch self {
        case .form: kSecAttrAuthenticationTypeHTMLForm
        case .basic: kSecAttrAuthenticationTypeHTTPBasic
        case .digest: kSecAttrAuthenticationTypeHTTPDigest
        case .standard: kSecAttrAuthenticationTypeDefault
        }
    }
}
