import Foundation
import Synchronization

/// One change of one item, made through this module in this process.
///
/// ```swift
/// for await change in vault.changes where change.item == token.address { refresh() }
/// ```
public struct VaultChange: Hashable, Sendable {
    /// The kind of a change.
    public enum Event: String, Hashable, Codable, Sendable, CaseIterable {
        /// The item was added or updated.
        case saved
        /// The item was deleted.
        case deleted
        /// The item moved to another access group.
        case moved
    }

    /// The kind of the change.
    ///
    /// Delivers the changes of this process to their observers.
    public let event: Event
    /// The item; the change has no secret.
    public let item: ItemName
    /// The access group of the vault that made the change; nil if it names none.
    public let accessGroup: String?
}

/// Hands the changes of this process to those who observe them.
package final class ChangeCenter: Sendable {
    /// The center of a test with its own device; nil for the center of the process.
    @TaskLocal package static var override: ChangeCenter?
    private static let process = ChangeCenter()

    static var current: ChangeCenter { override ?? process }

    private struct Observer {
        /// The only item to observe; nil for every item.
        let item: ItemName?
        let continuation: AsyncStream<VaultChange>.Continuation
    }

    private struct State {
        var next = 0
        var observers: [Int: Observer] = [:]
    }

    private let state = Mutex(State())

    /// Creates a center without observers.
    package init() {}

    func post(_ change: VaultChange) {
        let observers = state.withLock { Array($0.observers.values) }
        for observer in observers where observer.item == nil || observer.item == change.item {
            observer.continuation.yield(change)
        }
    }

    /// Returns a stream of the changes from now on.
    ///
    /// For a single item, it keeps the newest change; changes of other items cannot displace it.
    func changes(of item: ItemName? = nil) -> AsyncStream<VaultChange> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: VaultChange.self,
            bufferingPolicy: .bufferingNewest(item == nil ? 256 : 1)
        )
        let id = state.withLock { state in
            state.next += 1
            state.observers[state.next] = Observer(item: item, continuation: continuation)
            return state.next
        }
        continuation.onTermination = { [weak self] _ in self?.remove(id) }
        return stream
    }

    private func remove(_ id: Int) {
        _ = state.withLock { $0.observers.removeValue(forKey: id) }
    }
}

extension Vault {
    /// The changes from now on that this process makes through vaults, on any item.
    ///
    /// The sequence does not see what other processes change. It does not see calls of `SecItemAdd`
    /// and its siblings, changes that arrive by synchronization, or a lock of the device. If nobody
    /// reads it, it keeps the newest 256 changes.
    public var changes: AsyncStream<VaultChange> { changeCenter.changes() }

    func note(_ event: VaultChange.Event, _ item: some SecretItem) {
        note(event, item.address)
    }

    /// Informs the observers about a change, unless the item is internal to this module.
    func note(_ event: VaultChange.Event, _ name: ItemName) {
        guard !name.isOwn else { return }
        changeCenter.post(VaultChange(event: event, item: name, accessGroup: accessGroup))
    }
}
