import Secrets

/// The kinds of results that the caller requests.
///
/// - Source: requirements QRY-20 to QRY-29.
package struct ReturnShape: Sendable, Hashable {
    package var data = false
    package var attributes = false
    package var reference = false
    package var persistentReference = false

    package init() {}

    /// Applies a return key.
    mutating func set(_ key: QueryKey, _ isWanted: Bool) {
        switch key {
        case .returnData: data = isWanted
        case .returnAttributes: attributes = isWanted
        case .returnReference: reference = isWanted
        case .returnPersistentReference: persistentReference = isWanted
        default: preconditionFailure("\(key.rawValue) is not a return key")
        }
    }

    /// Whether no result is requested.
    package var isEmpty: Bool { !(data || attributes || reference || persistentReference) }

    /// The number of kinds requested; more than one results in a dictionary.
    package var count: Int {
        (data ? 1 : 0) + (attributes ? 1 : 0) + (reference ? 1 : 0) + (persistentReference ? 1 : 0)
    }
}

/// The items that a search sees: local, synchronizable or both.
package enum SynchronizableFilter: Sendable, Hashable { case local, synchronized, any }

/// The number of rows that a search returns.
package enum MatchLimit: Sendable, Hashable {
    /// The first match, without an array around it.
    case one
    /// An array of at most this many matches.
    case atMost(Int)
    /// An array of every match.
    case all
}

/// The treatment of items that need a prompt.
package enum AuthenticationInterface: Sendable, Hashable { case allow, fail, skip }

/// A filter beyond equality, applied to opened attributes.
package enum MatchFilter: Sendable, Hashable {
    /// The server equals the host or ends with `.` and the host.
    case hostOrSubdomain(of: String)
    /// One of these issued the certificate, directly or through others in the keychain.
    ///
    /// The values are the contents of normalized names.
    case issuers([[UInt8]])
    /// The certificate contains the e-mail address, ignoring case.
    case emailAddress(String)
    /// The certificate is valid at that moment, in seconds since 2001; nil for now.
    case validOn(Double?)
    /// The certificate chains to a root that this system trusts.
    case trustedOnly
    /// The certificate meets a policy.
    case policy(CertificatePolicy)

    /// Whether the filter has to read the certificate itself.
    package var needsCertificate: Bool {
        switch self {
        case .hostOrSubdomain, .issuers: false
        case .emailAddress, .validOn, .trustedOnly, .policy: true
        }
    }
}

/// The items that a search, update or delete selects.
package struct Selection: Sendable {
    package var itemClass: ItemClass
    /// Coerced values of attributes with a digest column.
    package var terms: AttributeValues = [:]
    /// Pairs that the item must have; it may have more.
    package var pairs = LookupPairs()
    package var protection: ProtectionClass?
    package var synchronizable: SynchronizableFilter = .local
    /// The access group; nil for every group of the caller.
    package var accessGroup: String?
    /// Whether tombstones match; only if the caller names them.
    package var matchesTombstones = false
    package var reference: PersistentReference?
    /// The public key of a key, with any application label.
    package var publicKeyHash: [UInt8]?
    package var filters: [MatchFilter] = []
    package var ignoresCase = false

    package init(itemClass: ItemClass) { self.itemClass = itemClass }
}

/// A parsed `SecItemCopyMatching`.
package struct SelectQuery: Sendable {
    package var selection: Selection
    package var limit: MatchLimit = .one
    package var returns = ReturnShape()
    package var authentication = AuthenticationTerms()
}

/// A parsed `SecItemAdd`.
package struct AddQuery: Sendable {
    package var itemClass: ItemClass
    /// Coerced values, without access group, protection, dates and other managed attributes.
    package var attributes: AttributeValues = [:]
    package var protection: ProtectionClass
    package var accessControl: AccessControl?
    package var isSynchronizable = false
    /// The SHA-1 of the public key, for a key that a reference represents.
    package var publicKeyHash: [UInt8]?
    /// The access group; nil for the caller's default group.
    package var accessGroup: String?
    package var data: SharedSecret?
    package var returns = ReturnShape()
    package var authentication = AuthenticationTerms()
}

/// The new values of an update.
package struct Changes: Sendable {
    package var attributes: AttributeValues = [:]
    package var protection: ProtectionClass?
    package var accessControl: AccessControl?
    package var isSynchronizable: Bool?
    package var accessGroup: String?
    package var data: SharedSecret?

    package init() {}
}

/// A parsed `SecItemUpdate`.
package struct UpdateQuery: Sendable {
    package var selection: Selection
    package var changes: Changes
    package var authentication = AuthenticationTerms()
}

/// A parsed `SecItemDelete`.
package struct DeleteQuery: Sendable {
    package var selection: Selection
    /// Whether tombstones are left; nil for synchronizable items only.
    package var leavesTombstones: Bool?
    package var authentication = AuthenticationTerms()
}
