import Foundation

/// The move of one value from an old store into the keychain.
///
/// ```swift
/// let old = PropertyListSource(file: PlainFile(credentials))
/// let token = ItemAddress.genericPassword(service: "api", account: "token")
/// let move = Move("session.token", from: old, to: token)
/// ```
public struct Move: Sendable {
    /// The value's name in the journal, the same at every launch.
    public let id: String
    /// The old store.
    public let source: any LegacySource
    /// The value's name in the old store.
    public let key: String
    /// The value's name in reports.
    public let title: String
    /// The new item; its attributes replace those that come from the old store.
    public let target: KeychainItem
    /// The action if the keychain already has another value.
    public let conflict: ConflictPolicy
    /// A function that converts the old bytes into the new ones; nil stores them unchanged.
    public let transform: (@Sendable (Data) throws -> Data)?

    /// Creates a move of the value under a key to an item.
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

    /// Creates a move of the value under a key to an address, by default
    /// `ItemAccessibility.standard`.
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

/// The action if the keychain already has another value under the same name.
///
/// ```swift
/// let move = Move("session.token", from: old, to: token, conflict: .keepStored)
/// ```
public enum ConflictPolicy: String, Codable, Hashable, Sendable, CaseIterable {
    /// Both values remain, and the report names the conflict.
    case report
    /// The keychain's value remains, and the old store's is deleted.
    case keepStored
    /// The old store's value replaces the keychain's.
    case replaceStored
}

/// The treatment of the old store's copy after the new one is verified.
///
/// ```swift
/// let mover = Mover(journal: journal, retention: .keepPlaintext(days: 30))
/// ```
public enum LegacyRetention: Codable, Hashable, Sendable {
    /// The mover deletes the copy at once.
    case deleteAfterVerify
    /// The mover stores an encrypted copy for this number of days, and deletes the old copy at
    /// once.
    case encryptedRollback(days: Int)
    /// The old copy remains in plain text until the late clean-up after this number of days.
    case keepPlaintext(days: Int)

    /// The length of the rollback window in days, or 0 without one.
    public var days: Int {
        switch self {
        case .deleteAfterVerify: 0
        case .encryptedRollback(let days), .keepPlaintext(let days): days
        }
    }
}
