#if canImport(Darwin)
    import Security
#else
    import KeychainServices
#endif

/// A secret under a service and an account: a token, a password, or any `Codable` value.
///
/// ```swift
/// let token = Password(service: "api", account: "token")
/// try Vault().save("t0ken", in: token)
/// ```
///
/// It is a generic password of Keychain Services. Without a protection, the item can be read from
/// the first unlock on, even in the background, and it never leaves the device.
public struct Password: SecretItem {
    /// The kind, ``ItemSort/password``.
    public static var sort: ItemSort { .password }
    /// The part of the program to which the secret belongs, such as `api`.
    public let service: String
    /// The account, or another name that is unique in the service.
    public let account: String
    /// The conditions under which the item can be read.
    public let protection: Protection
    /// The name that lists show to the user; nil leaves the one that is stored.
    public let label: String?
    /// A comment; nil leaves the one that is stored.
    public let comment: String?

    /// Creates a description; nothing is stored yet.
    public init(
        service: String,
        account: String,
        protection: Protection = .afterFirstUnlockThisDeviceOnly,
        label: String? = nil,
        comment: String? = nil
    ) {
        self.service = service
        self.account = account
        self.protection = protection
        self.label = label
        self.comment = comment
    }

    /// The service, the account, and whether the item is synchronized.
    public var address: ItemName {
        ItemName(
            .password,
            [kSecAttrService: .text(service), kSecAttrAccount: .text(account)],
            isSynced: protection.isSynced,
            "\(service)/\(account)"
        )
    }

    /// The kind and the name, such as `password api/token`.
    public var description: String { address.description }
}
