import Foundation

/// One value that is to go from an old store into the keychain.
public struct Move: Sendable {
    /// What the journal calls it; the same at every launch.
    public let id: String
    /// The old store.
    public let source: any LegacySource
    /// The value's name there.
    public let key: String
    /// What reports call it.
    public let title: String
    /// Where it goes, with the attributes that are to be set; carried ones yield to these.
    public let target: KeychainItem
    /// What happens if the keychain holds another value already.
    public let conflict: ConflictPolicy
    /// Makes of the old bytes those that are stored; nil stores them as they are.
    public let transform: (@Sendable (Data) throws -> Data)?

    /// A move of the value under a key to an item, by default ``ItemAccessibility/standard``.
    public init(
        _ key: String,
        from source: any LegacySource,
        to target: KeychainItem,
        title: String? = nil,
        conflict: ConflictPolicy = .report,
        transform: (@Sendable (Data) throws -> Data)? = nil
    ) {
        self.id = "\(source.name)/\(key) → \(target.address.identifier)"
        self.title = title ?? key
        self.source = source
        self.key = key
        self.target = target
        self.conflict = conflict
        self.transform = transform
    }

    /// A move of the value under a key to an address, by default ``ItemAccessibility/standard``.
    public init(
        _ key: String,
        from source: any LegacySource,
        to address: ItemAddress,
        accessibility: ItemAccessibility = .standard,
        conflict: ConflictPolicy = .report,
        transform: (@Sendable (Data) throws -> Data)? = nil
    ) {
        self.init(
            key,
            from: source,
            to: KeychainItem(at: address, accessibility: accessibility),
            conflict: conflict,
            transform: transform
        )
    }
}

/// What happens when the keychain holds another value under the same name.
public enum ConflictPolicy: String, Codable, Hashable, Sendable, CaseIterable {
    /// Both stay as they are, and the report says so.
    case report
    /// The keychain's value wins; the old store's is deleted.
    case keepStored
    /// The old store's value wins; the keychain's is replaced.
    case replaceStored
}

/// What happens to the old store's copy once the new one is verified.
public enum LegacyRetention: Codable, Hashable, Sendable {
    /// It is deleted at once.
    case deleteAfterVerify
    /// It is deleted at once, after an encrypted copy was put aside for so many days.
    case encryptedRollback(days: Int)
    /// It stays in plain text until the late clean-up after so many days.
    case keepPlaintext(days: Int)

    /// The days of the rollback window; 0 without one.
    public var days: Int {
        switch self {
        case .deleteAfterVerify: 0
        case .encryptedRollback(let days), .keepPlaintext(let days): days
        }
    }
}
