import Foundation

/// A keychain: the program's own, or one for tests.
///
/// ``ServicesKeychain`` is the real one. ``InMemoryKeychain`` is for tests: it fails on request and
/// counts calls.
///
/// ```swift
/// func hasToken(in keychain: any Keychain) throws -> Bool {
///     try keychain.exists(.genericPassword(service: "api", account: "token"))
/// }
/// ```
/// - Source: Migration guide, Testing Migration Paths.
public protocol Keychain: Sendable {
    /// Returns an item with its secret, or nil only if there is no such item.
    ///
    /// The call prompts for an item with constraints.
    func read(_ address: ItemAddress) throws(KeychainFailure) -> KeychainItem?
    /// Returns whether an item exists, without a prompt.
    func exists(_ address: ItemAddress) throws(KeychainFailure) -> Bool
    /// Returns the items of a scope without their secrets.
    func list(
        _ scope: ItemScope,
        gated: GatedItems
    ) throws(KeychainFailure) -> [KeychainItem]
    /// Returns whether a scope has items that need a prompt, without prompting.
    func hasGatedItems(_ scope: ItemScope) throws(KeychainFailure) -> Bool
    /// Adds an item, and fails if one with the same primary key exists.
    func add(_ item: KeychainItem) throws(KeychainFailure)
    /// Changes an item in place, except its primary key.
    func update(_ address: ItemAddress, _ change: ItemChange) throws(KeychainFailure)
    /// Deletes an item; a missing item is no error.
    func delete(_ address: ItemAddress) throws(KeychainFailure)
    /// Deletes a listed item; a missing item is no error.
    func delete(_ item: KeychainItem) throws(KeychainFailure)
    /// Deletes all items of a scope, including synchronizable and gated ones, without a prompt.
    func deleteAll(_ scope: ItemScope) throws(KeychainFailure)
}

/// The treatment of items with constraints in a list, because even their attributes need a prompt.
///
/// ```swift
/// let items = try keychain.list(.everything, gated: .ask)
/// ```
/// - Source: Apple's source, SecItemDb.c (Security-61901).
public enum GatedItems: String, Codable, Hashable, Sendable, CaseIterable {
    /// The call omits them and does not prompt.
    case leaveOut
    /// The call prompts for each of them.
    case ask
}

extension Keychain {
    /// Returns the items of a scope that need no prompt.
    public func list(_ scope: ItemScope) throws(KeychainFailure) -> [KeychainItem] {
        try list(scope, gated: .leaveOut)
    }
}

/// The status of a failed keychain call.
///
/// ```swift
/// do {
///     try keychain.add(item)
/// } catch let failure as KeychainFailure where failure.isLocked {
///     print("try again after the first unlock")
/// }
/// ```
public struct KeychainFailure: Error, Codable, Hashable, Sendable {
    /// The status, such as `errSecInteractionNotAllowed` (-25308).
    public let status: Int32
    /// The call that failed.
    public let operation: Operation

    /// A kind of keychain call.
    ///
    /// ```swift
    /// InMemoryKeychain().fail(.read, with: errSecInteractionNotAllowed)
    /// ```
    public enum Operation: String, Codable, Sendable, Hashable, CaseIterable {
        /// Reading one item.
        case read
        /// Listing the items of a scope.
        case list
        /// Adding an item.
        case add
        /// Changing an item.
        case update
        /// Deleting one item or several.
        case delete
        /// Making a key.
        case makeKey
        /// Encrypting with a key.
        case seal
        /// Decrypting with a key.
        case open
    }

    /// Creates the failure of a call.
    public init(_ operation: Operation, status: Int32) {
        self.operation = operation
        self.status = status
    }

    /// Whether the item exists but is out of reach now, `errSecInteractionNotAllowed` (-25308).
    ///
    /// Never delete an item for this reason.
    /// - Source: Migration guide, Checklist item 5.
    public var isLocked: Bool { status == -25308 }

    /// Whether an item with this primary key exists already, `errSecDuplicateItem` (-25299).
    public var isDuplicate: Bool { status == -25299 }
}

extension KeychainFailure: CustomStringConvertible {
    /// The call, the status and the keychain's sentence, such as `add: -25308`.
    public var description: String {
        "\(operation.rawValue): \(ServicesKeychain.message(of: status)) (\(status))"
    }
}
