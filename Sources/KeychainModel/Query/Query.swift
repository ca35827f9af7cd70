import Secrets

/// What the caller wants back.
///
/// - Source: requirements QRY-20 to QRY-29.
package struct ReturnShape: Sendable, Hashable {
    package var data = false
    package var attributes = false
    package var reference = false
    package var persistentReference = false

    package init() {}

    /// Takes what a return key asks for.
    mutating func set(_ key: QueryKey, _ isWanted: Bool) {
        switch key {
        case .returnData: data = isWanted
        case .returnAttributes: attributes = isWanted
        case .returnReference: reference = isWanted
        case .returnPersistentReference: persistentReference = isWanted
        default: preconditionFailure("\(key.rawValue) is not a return key")
        }
    }

    /// Whether anything is to be returned.
    package var isEmpty: Bool { !(data || attributes || reference || persistentReference) }

    /// How many kinds are asked for: more than one makes a dictionary.
    package var count: Int {
        (data ? 1 : 0) + (attributes ? 1 : 0) + (reference ? 1 : 0) + (persistentReference ? 1 : 0)
    }
}

/// Which of the local and the synchronizable items a search sees.
package enum SynchronizableFilter: Sendable, Hashable { case local, synchronized, any }

/// How many rows a search returns.
package enum MatchLimit: Sendable, Hashable {
    /// The bare value of the first match.
    case one
    /// An array of at most so many.
    case atMost(Int)
    /// An array of every match.
    case all
}

/// What a search does with items that need a person.
package enum AuthenticationInterface: Sendable, Hashable { case allow, fail, skip }

/// A filter beyond equality, applied to opened attributes.
package enum MatchFilter: Sendable, Hashable {
    /// The server equals the host or ends with `.` and the host.
    case hostOrSubdomain(of: String)
    /// The certificate was issued by one of these, directly or through others in the keychain;
    /// the contents of normalized names.
    case issuers([[UInt8]])
    /// The certificate names the e-mail address, in any case of letters.
    case emailAddress(String)
    /// The certificate is valid at that moment, in seconds since 2001; nil: now.
    case validOn(Double?)
    /// The certificate leads to a root that this system trusts.
    case trustedOnly
    /// The certificate is good for what a policy says.
    case policy(CertificatePolicy)

    /// Whether the certificate itself has to be read.
    package var needsCertificate: Bool {
        switch self {
        case .hostOrSubdomain, .issuers: false
        case .emailAddress, .validOn, .trustedOnly, .policy: true
        }
    }
}

/// Which items a search, update or delete is about.
package struct Selection: Sendable {
    package var itemClass: ItemClass
    /// Coerced values of attributes with a digest column.
    package var terms: AttributeValues = [:]
    /// Pairs that the item has, perhaps among others.
    package var pairs = LookupPairs()
    package var protection: ProtectionClass?
    package var synchronizable: SynchronizableFilter = .local
    /// nil: every group of the caller.
    package var accessGroup: String?
    /// Tombstones are matched only when the caller names them.
    package var matchesTombstones = false
    package var reference: PersistentReference?
    /// The public key that a key has, whatever its application label is.
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
    /// Coerced values, without access group, protection, dates and the other managed attributes.
    package var attributes: AttributeValues = [:]
    package var protection: ProtectionClass
    package var accessControl: AccessControl?
    package var isSynchronizable = false
    /// Of a key that a reference stands for: SHA-1 of its public key.
    package var publicKeyHash: [UInt8]?
    /// nil: the caller's default group.
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
    /// nil: a tombstone for synchronizable items, none for others.
    package var leavesTombstones: Bool?
    package var authentication = AuthenticationTerms()
}
