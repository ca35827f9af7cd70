import Foundation
import KeychainMigration

/// An old store in memory, which may be closed as defaults are before the first unlock.
///
/// `@unchecked Sendable`: every access to its state holds its lock.
final class MapSource: LegacySource, @unchecked Sendable {
    let name: String
    private let lock = NSLock()
    private var values: [String: String]
    private var readCount = 0
    private let isOpen: @Sendable () -> Bool

    init(
        _ values: [String: String],
        name: String = "old",
        isOpen: @escaping @Sendable () -> Bool = { true }
    ) {
        self.values = values
        self.name = name
        self.isOpen = isOpen
    }

    var all: [String: String] { lock.withLock { values } }
    var reads: Int { lock.withLock { readCount } }

    subscript(key: String) -> String? {
        get { lock.withLock { values[key] } }
        set { lock.withLock { values[key] = newValue } }
    }

    var trust: SourceTrust { isOpen() ? .trusted : .protectedDataUnavailable }

    /// While closed everything reads as empty, and no error says so.
    func read(_ key: String) throws(SourceFailure) -> LegacyValue? {
        lock.withLock {
            readCount += 1
            return isOpen() ? values[key].map { LegacyValue(SecretBytes($0)) } : nil
        }
    }

    func delete(_ key: String) throws(SourceFailure) {
        lock.withLock { values[key] = nil }
    }
}
