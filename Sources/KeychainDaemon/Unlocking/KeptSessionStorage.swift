import DataProtection
import Glibc
import Synchronization

// Invariants   (1) At most one image of an account is kept.
//              (2) An image is overwritten before its descriptor is dropped: after a lock nothing
//                  is left, even for another holder of the descriptor.
//              (3) An image from before a restart opens only what its lock epoch, on disk, opens.

/// A keeper of descriptors while this process does not run.
package protocol DescriptorKeeper: Sendable {
    /// Passes a descriptor on; the caller keeps its own.
    ///
    /// - Returns: Whether it is kept.
    func keep(_ descriptor: Int32, as name: String) -> Bool

    /// Drops the descriptors under a name.
    func forget(_ name: String)
}

/// The session image of one account in memory, kept across a restart if there is a keeper.
///
/// - Source: Documentation/Spec/locking.md §5.
package final class KeptSessionStorage: SessionImageStorage {
    private struct State {
        var name: String?
        var memory: KeptMemory?
    }

    private static let prefix = "keychain-session-"

    private let keptName: String
    private let keeper: (any DescriptorKeeper)?
    private let state: Mutex<State>

    /// Returns the name under which an account's descriptor is kept.
    package static func name(of account: UInt32) -> String { prefix + String(account) }

    /// Returns the account in such a name.
    package static func account(of name: String) -> UInt32? {
        name.hasPrefix(prefix) ? UInt32(name.dropFirst(prefix.count)) : nil
    }

    /// Creates the storage of an account.
    ///
    /// - Parameters:
    ///   - account: The account.
    ///   - keeper: Keeps the image across a restart; nil keeps it only in this process.
    ///   - kept: A descriptor that was kept across a restart; it is taken over.
    package init(
        of account: UInt32,
        keeper: (any DescriptorKeeper)? = nil,
        kept: Int32? = nil
    ) {
        keptName = Self.name(of: account)
        self.keeper = keeper
        let memory = kept.flatMap { KeptMemory($0) }
        let session = memory.flatMap { KeptSession(decoding: $0.content) }
        state = Mutex(State(name: session?.name, memory: session == nil ? nil : memory))
        if kept != nil, session == nil { keeper?.forget(keptName) }
    }

    /// Whether an image was kept across a restart; it may open nothing.
    package var hasImage: Bool { state.withLock { $0.memory != nil } }

    package func read(_ name: String) throws(StorageError) -> [UInt8]? {
        state.withLock { state in
            guard state.name == name, let memory = state.memory else { return nil }
            return KeptSession(decoding: memory.content)?.image
        }
    }

    package func write(_ image: [UInt8], as name: String) throws(StorageError) {
        guard let session = KeptSession(name: name, image: image),
            let memory = KeptMemory(session.encoded)
        else { throw .system(operation: "memfd_create", path: keptName, code: ENOMEM) }
        state.withLock { state in
            discard(&state)
            state = State(name: name, memory: memory)
            _ = keeper?.keep(memory.descriptor, as: keptName)
        }
    }

    package func isPresent(_ name: String) -> Bool { state.withLock { $0.name == name } }

    package func remove(
        startingWith prefix: String,
        except kept: String?
    ) throws(StorageError) -> Int {
        state.withLock { state in
            guard let name = state.name, name.hasPrefix(prefix), name != kept else { return 0 }
            discard(&state)
            return 1
        }
    }

    private func discard(_ state: inout State) {
        guard let memory = state.memory else { return }
        memory.wipe()
        keeper?.forget(keptName)
        state = State()
    }
}
