import Foundation

/// A record of each value's progress, written before and after every irreversible action.
///
/// It contains names and stages, but neither values nor digests of them.
///
/// ```swift
/// let journal: any MigrationJournal = InMemoryJournal()
/// let stages = try journal.entries().mapValues(\.stage)
/// ```
public protocol MigrationJournal: Sendable {
    /// Returns the last entry of each value, by its name.
    func entries() throws(JournalFailure) -> [String: JournalEntry]
    /// Adds an entry, which is durable when the call returns.
    func record(_ entry: JournalEntry) throws(JournalFailure)
}

/// The progress of one value.
///
/// ```swift
/// let entry = JournalEntry(id: "token", stage: .verified, target: address, date: Date())
/// try journal.record(entry)
/// ```
public struct JournalEntry: Codable, Hashable, Sendable {
    /// A stage of a value's way.
    ///
    /// ```swift
    /// let isDone = try journal.entries()["token"]?.stage == .done
    /// ```
    public enum Stage: String, Codable, Hashable, Sendable, CaseIterable {
        /// The mover is about to write the value to the keychain.
        case writing
        /// The mover has read the value back; it may delete the old copy.
        case verified
        /// The value is verified, and the old store keeps its copy until the late clean-up.
        case kept
        /// The value is in the keychain only.
        case done
        /// The value was lost, and a check reported the loss.
        case reported
    }

    /// The value's name in the journal.
    public let id: String
    /// The value's stage.
    public let stage: Stage
    /// The item for the value.
    public let target: ItemAddress
    /// The date of the entry.
    public let date: Date

    /// Creates an entry.
    public init(id: String, stage: Stage, target: ItemAddress, date: Date) {
        self.id = id
        self.stage = stage
        self.target = target
        self.date = date
    }
}

/// The reason why the journal could not be read or written.
///
/// ```swift
/// do {
///     _ = try journal.entries()
/// } catch JournalFailure.damaged(let line) {
///     print("line \(line) is damaged")
/// }
/// ```
public enum JournalFailure: Error, Codable, Hashable, Sendable {
    /// A line before the last one is damaged.
    case damaged(line: Int)
    /// The journal cannot read the file.
    case unreadable(String)
    /// The journal cannot write the file.
    case unwritable(String)
}

extension JournalFailure: CustomStringConvertible {
    /// The reason as a sentence.
    public var description: String {
        switch self {
        case .damaged(let line): "the journal is damaged in line \(line)"
        case .unreadable(let file): "the journal \(file) cannot be read"
        case .unwritable(let file): "the journal \(file) cannot be written"
        }
    }
}

/// A journal that ends with the process, for tests and for moves without resumption.
///
/// The class is `@unchecked Sendable` because every access to its log holds its lock.
///
/// ```swift
/// let mover = Mover(keychain: InMemoryKeychain(), journal: InMemoryJournal())
/// ```
public final class InMemoryJournal: MigrationJournal, @unchecked Sendable {
    private let lock = NSLock()
    private var log: [JournalEntry] = []

    /// Creates an empty journal.
    public init() {}

    /// All entries, oldest first.
    public var history: [JournalEntry] { lock.withLock { log } }

    /// Returns the last entry of each value.
    public func entries() throws(JournalFailure) -> [String: JournalEntry] {
        Dictionary(history.map { ($0.id, $0) }) { $1 }
    }

    /// Adds an entry.
    public func record(_ entry: JournalEntry) throws(JournalFailure) {
        lock.withLock { log.append(entry) }
    }
}
