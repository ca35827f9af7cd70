import Foundation

/// The keychain as the toolkit uses it.
///
/// ``ServicesKeychain`` is the real one; ``InMemoryKeychain`` serves tests, fails on demand and
/// counts calls.
/// - Source: Migration guide, Testing Migration Paths.
public protocol Keychain: Sendable {
    /// One item with its secret; nil only if there is no such item.
    ///
    /// The user is asked for an item with constraints.
    func read(_ address: ItemAddress) throws(KeychainFailure) -> KeychainItem?
    /// Whether there is an item; nobody is asked.
    func exists(_ address: ItemAddress) throws(KeychainFailure) -> Bool
    /// The items of a scope without their secrets.
    func list(
        _ scope: ItemScope,
        gated: GatedItems
    ) throws(KeychainFailure) -> [KeychainItem]
    /// Whether a scope holds items that cannot be seen without asking the user; nobody is asked.
    func hasGatedItems(_ scope: ItemScope) throws(KeychainFailure) -> Bool
    /// Makes an item; one with the same primary key is an error.
    func add(_ item: KeychainItem) throws(KeychainFailure)
    /// Changes an item in place; never its primary key.
    func update(_ address: ItemAddress, _ change: ItemChange) throws(KeychainFailure)
    /// Deletes an item; that there is none is no error.
    func delete(_ address: ItemAddress) throws(KeychainFailure)
    /// Deletes the item that was listed; that it is gone is no error.
    func delete(_ item: KeychainItem) throws(KeychainFailure)
    /// Deletes all items of a scope, synchronizable and gated ones too; nobody is asked.
    func deleteAll(_ scope: ItemScope) throws(KeychainFailure)
}

/// What becomes of items with constraints in a list: even their attributes need the user.
///
/// - Source: Apple Security source (Security-61901), SecItemDb.c.
public enum GatedItems: String, Codable, Hashable, Sendable, CaseIterable {
    /// They are left out, and nobody is asked.
    case leaveOut
    /// The user is asked for each of them.
    case ask
}

extension Keychain {
    /// The items of a scope that can be seen without asking anybody.
    public func list(_ scope: ItemScope) throws(KeychainFailure) -> [KeychainItem] {
        try list(scope, gated: .leaveOut)
    }
}

/// What Keychain Services returned instead of success.
public struct KeychainFailure: Error, Codable, Hashable, Sendable {
    /// The status, such as -25308.
    public let status: Int32
    /// The call that failed.
    public let operation: Operation

    /// The calls.
    public enum Operation: String, Codable, Sendable, Hashable, CaseIterable {
        case read, list, add, update, delete, makeKey, seal, open
    }

    /// The failure of a call.
    public init(_ operation: Operation, status: Int32) {
        self.operation = operation
        self.status = status
    }

    /// Whether the item is there but out of reach for now (-25308); never a reason to delete.
    ///
    /// - Source: Migration guide, Checklist item 5.
    public var isLocked: Bool { status == -25308 }

    /// Whether an item with this primary key exists already (-25299).
    public var isDuplicate: Bool { status == -25299 }
}

extension KeychainFailure: CustomStringConvertible {
    /// Such as `add: -25308`, with the keychain's sentence.
    public var description: String {
        "\(operation.rawValue): \(ServicesKeychain.message(of: status)) (\(status))"
    }
}
