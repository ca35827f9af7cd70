import DataProtection
import KeychainEngine

/// A session in memory, for several engines.
final class MemorySession: UnlockSession {
    private let storage = MemoryStorage()

    func stamp() -> StorageStamp? { storage.stamp(of: .session) }
    func read() -> [UInt8]? { storage.read(.session) }

    func replace(with image: [UInt8]?) {
        if let image { storage.replace(.session, with: image) } else { storage.remove(.session) }
    }
}
