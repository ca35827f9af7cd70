import DataProtection
import KeychainEngine
import Synchronization

/// Session images in memory, for several engines.
final class MemorySession: SessionImageStorage {
    private let images = Mutex<[String: [UInt8]]>([:])
    private let isFull: Bool

    /// Takes nothing if it is full.
    init(isFull: Bool = false) { self.isFull = isFull }

    var all: [String: [UInt8]] {
        get { images.withLock { $0 } }
        set { images.withLock { $0 = newValue } }
    }

    func read(_ name: String) -> [UInt8]? { images.withLock { $0[name] } }

    func write(_ image: [UInt8], as name: String) throws(StorageError) {
        guard !isFull else { throw .system(operation: "write", path: name, code: 28) }
        images.withLock { $0[name] = image }
    }

    func isPresent(_ name: String) -> Bool { images.withLock { $0[name] != nil } }

    func remove(startingWith prefix: String, except kept: String?) -> Int {
        images.withLock { images in
            let before = images.count
            images = images.filter { !$0.key.hasPrefix(prefix) || $0.key == kept }
            return before - images.count
        }
    }
}
