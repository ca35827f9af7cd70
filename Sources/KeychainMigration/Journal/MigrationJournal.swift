import Foundation

/// How far each value has come; written before and after what cannot be undone.
///
/// It holds names and stages, never a value nor a digest of one.
public protocol MigrationJournal: Sendable {
    /// The last entry of each value.
    func entries() throws(JournalFailure) -> [String: JournalEntry]
    /// Adds an entry; it is durable before the call returns.
    func record(_ entry: JournalEntry) throws(JournalFailure)
}

/// How far a value has come.
public struct JournalEntry: Codable, Hashable, Sendable {
    /// The stages.
    public enum Stage: String, Codable, Hashable, Sendable, CaseIterable {
        /// It is about to be written to the keychain.
        case writing
        /// It was read back from the keychain and may be deleted from the old store.
        case verified
        /// It is verified, and the old store keeps its copy until the late clean-up.
        case kept
        /// It is in the keychain alone.
        case done
        /// It was lost, and whoever asked was told.
        case reported
    }

    /// The value's name in the journal.
    public let id: String
    /// How far it has come.
    public let stage: Stage
    /// Where it belongs.
    public let target: ItemAddress
    /// When this was noted.
    public let date: Date

    /// An entry.
    public init(id: String, stage: Stage, target: ItemAddress, date: Date) {
        self.id = id
        self.stage = stage
        self.target = target
        self.date = date
    }
}

/// Why the journal could not be read or written.
public enum JournalFailure: Error, Codable, Hashable, Sendable {
    /// A line before the last one is damaged.
    case damaged(line: Int)
    /// The file cannot be read.
    case unreadable(String)
    /// The file cannot be written.
    case unwritable(String)
}

extension JournalFailure: CustomStringConvertible {
    /// A sentence.
    public var description: String {
        switch self {
        case .damaged(let line): "the journal is damaged in line \(line)"
        case .unreadable(let file): "the journal \(file) cannot be read"
        case .unwritable(let file): "the journal \(file) cannot be written"
        }
    }
}

/// A journal that lives as long as the process, for tests and for stores that need no resumption.
///
/// `@unchecked Sendable`: every access to its log holds its lock.
public final class InMemoryJournal: MigrationJournal, @unchecked Sendable {
    private let lock = NSLock()
    private var log: [JournalEntry] = []

    /// An empty journal.
    public init() {}

    /// All entries, oldest first.
    public var history: [JournalEntry] { lock.withLock { log } }

    /// The last entry of each value.
    public func entries() throws(JournalFailure) -> [String: JournalEntry] {
        Dictionary(history.map { ($0.id, $0) }) { $1 }
    }

    /// Adds an entry; it is durable before the call returns.
    public func record(_ entry: JournalEntry) throws(JournalFailure) {
        lock.withLock { log.append(entry) }
    }
}
