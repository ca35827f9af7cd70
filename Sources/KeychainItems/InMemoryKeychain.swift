import Foundation

/// A keychain for tests that stores items in memory, counts calls, and fails on request.
///
/// The class is `@unchecked Sendable` because every access to its state holds its lock.
///
/// ```swift
/// let keychain = InMemoryKeychain()
/// keychain.fail(.add, with: errSecInteractionNotAllowed)
/// try keychain.add(item)  // throws a KeychainFailure with that status
/// ```
/// - Source: Testing security code guide; Migration guide, Testing Migration Paths.
public final class InMemoryKeychain: Keychain, @unchecked Sendable {
    private struct State {
        var items: [ItemAddress: KeychainItem] = [:]
        var order: [ItemAddress] = []
        var calls: [KeychainFailure.Operation] = []
        var failures: [KeychainFailure.Operation: Int32] = [:]
        var failingAddresses: [ItemAddress: Int32] = [:]
        var corruption: (@Sendable (SecretBytes) -> SecretBytes)?
    }

    private let lock = NSLock()
    private var state = State()
    /// The access group of items without one.
    public let defaultAccessGroup: String

    /// Creates an empty keychain.
    public init(defaultAccessGroup: String = "TEAMID1234.com.example.app") {
        self.defaultAccessGroup = defaultAccessGroup
    }

    /// The calls so far, oldest first.
    public var calls: [KeychainFailure.Operation] { lock.withLock { state.calls } }

    /// The items, in the order in which they were added.
    public var items: [KeychainItem] {
        lock.withLock { state.order.compactMap { state.items[$0] } }
    }

    /// Removes the record of the calls so far.
    public func removeCalls() { lock.withLock { state.calls = [] } }

    /// Makes one kind of call fail with a status; nil makes it succeed again.
    public func fail(_ operation: KeychainFailure.Operation, with status: Int32?) {
        lock.withLock { state.failures[operation] = status }
    }

    /// Makes every call on one item fail with a status; nil makes them succeed again.
    public func fail(_ address: ItemAddress, with status: Int32?) {
        lock.withLock { state.failingAddresses[address] = status }
    }

    /// Changes the results of reads; nil returns the stored value again.
    public func corruptReads(_ change: (@Sendable (SecretBytes) -> SecretBytes)?) {
        lock.withLock { state.corruption = change }
    }
}

extension InMemoryKeychain {
    /// Returns an item with its secret, or nil only if there is no such item.
    public func read(_ address: ItemAddress) throws(KeychainFailure) -> KeychainItem? {
        try perform(.read, address) { state -> Outcome<KeychainItem?> in
            guard let found = Self.find(address, in: state) else { return .success(nil) }
            var item = state.items[found]
            if let corruption = state.corruption, let value = item?.value {
                item?.value = corruption(value)
            }
            return .success(item)
        }
    }

    /// Returns whether an item exists, without a prompt.
    public func exists(_ address: ItemAddress) throws(KeychainFailure) -> Bool {
        try perform(.read, address) { state -> Outcome<Bool> in
            .success(Self.find(address, in: state) != nil)
        }
    }

    /// Returns the items of a scope without their secrets.
    public func list(
        _ scope: ItemScope,
        gated: GatedItems
    ) throws(KeychainFailure) -> [KeychainItem] {
        try perform(.list, nil) { state -> Outcome<[KeychainItem]> in
            let items = state.order.compactMap { state.items[$0] }
                .filter { scope.contains($0.address) && (gated == .ask || !$0.isGated) }
            return .success(
                items.map { item in
                    var item = item
                    item.value = nil
                    return item
                }
            )
        }
    }

    /// Returns whether a scope has items that need a prompt, without prompting.
    public func hasGatedItems(_ scope: ItemScope) throws(KeychainFailure) -> Bool {
        try perform(.list, nil) { state -> Outcome<Bool> in
            .success(state.items.values.contains { scope.contains($0.address) && $0.isGated })
        }
    }

    /// Adds an item, and fails if one with the same primary key exists.
    public func add(_ item: KeychainItem) throws(KeychainFailure) {
        var item = item
        if item.address.accessGroup == nil {
            item.attributes[.accessGroup] = .text(defaultAccessGroup)
        }
        // The item stays constant from here on.
        let added = item
        try perform(.add, added.address) { state -> Outcome<Void> in
            guard state.items[added.address] == nil else { return .failure(-25299) }
            state.items[added.address] = added
            state.order.append(added.address)
            return .success(())
        }
    }

    /// Changes an item in place, except its primary key.
    public func update(_ address: ItemAddress, _ change: ItemChange) throws(KeychainFailure) {
        try perform(.update, address) { state -> Outcome<Void> in
            guard let found = Self.find(address, in: state), var item = state.items[found] else {
                return .failure(-25300)
            }
            guard change.attributes.keys.allSatisfy({ !item.kind.primaryKey.contains($0) }) else {
                return .failure(-50)
            }
            item.attributes.merge(change.attributes) { $1 }
            item.accessibility = change.accessibility ?? item.accessibility
            item.value = change.value ?? item.value
            state.items[found] = item
            return .success(())
        }
    }

    /// Deletes an item; a missing item is no error.
    public func delete(_ address: ItemAddress) throws(KeychainFailure) {
        try perform(.delete, address) { state -> Outcome<Void> in
            if let found = Self.find(address, in: state) { Self.remove(found, from: &state) }
            return .success(())
        }
    }

    /// Deletes a listed item; a missing item is no error.
    public func delete(_ item: KeychainItem) throws(KeychainFailure) {
        try delete(item.address)
    }

    /// Deletes all items of a scope without a prompt.
    public func deleteAll(_ scope: ItemScope) throws(KeychainFailure) {
        try perform(.delete, nil) { state -> Outcome<Void> in
            for address in state.order where scope.contains(address) {
                Self.remove(address, from: &state)
            }
            return .success(())
        }
    }

    private enum Outcome<Value> {
        case success(Value)
        case failure(Int32)
    }

    private func perform<Value>(
        _ operation: KeychainFailure.Operation,
        _ address: ItemAddress?,
        _ body: (inout State) -> Outcome<Value>
    ) throws(KeychainFailure) -> Value {
        let outcome: Outcome<Value> = lock.withLock {
            state.calls.append(operation)
            if let status = state.failures[operation] { return .failure(status) }
            if let address, let status = Self.failure(of: address, in: state) {
                return .failure(status)
            }
            return body(&state)
        }
        switch outcome {
        case .success(let value): return value
        case .failure(let status): throw KeychainFailure(operation, status: status)
        }
    }

    private static func failure(of address: ItemAddress, in state: State) -> Int32? {
        state.failingAddresses.first { matches($0.key, address) }?.value
    }

    /// Whether the first address matches the second.
    private static func matches(_ query: ItemAddress, _ address: ItemAddress) -> Bool {
        query.kind == address.kind && query.isSynchronizable == address.isSynchronizable
            && query.attributes.allSatisfy { address.attributes[$0.key] == $0.value }
    }

    private static func find(_ query: ItemAddress, in state: State) -> ItemAddress? {
        state.order.first { matches(query, $0) }
    }

    private static func remove(_ address: ItemAddress, from state: inout State) {
        state.items[address] = nil
        state.order.removeAll { $0 == address }
    }
}
