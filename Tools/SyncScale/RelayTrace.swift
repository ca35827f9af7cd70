import KeychainSync
import Synchronization

/// ★ What a device asks of a relay.
enum RelayCall: Int, CaseIterable, Sendable {
    /// The first call of a pass, whatever it is: it connects.
    case connect
    case list
    case read
    case append
    case trim
}

/// Entries that were appended, or read, with one call.
struct EntryRun: Sendable {
    let account: AccountName
    let stream: StreamName
    let first: UInt64
    /// How many bytes each has.
    let sizes: [Int]

    var byteCount: Int { sizes.reduce(0, +) }
}

/// What devices did with a relay in one phase.
struct RelayTrace: Sendable {
    /// In seconds.
    var times: [RelayCall: [Double]] = [:]
    var appended: [EntryRun] = []
    /// Calls that found entries.
    var read: [EntryRun] = []
    /// Calls that found none.
    var emptyReadCount = 0

    mutating func add(_ other: RelayTrace) {
        times.merge(other.times) { $0 + $1 }
        appended += other.appended
        read += other.read
        emptyReadCount += other.emptyReadCount
    }

    func spread(_ call: RelayCall) -> Spread { Spread(times[call] ?? []) }
    var relayTime: Double { times.values.joined().reduce(0, +) }
}

/// Where the threads of a phase leave what they saw.
final class TraceBook: Sendable {
    struct Content: Sendable {
        var trace = RelayTrace()
        /// How long each turn of a device took, in seconds.
        var turns: [Double] = []
        var sentCount = 0
        var receivedCount = 0
    }

    private let value = Mutex(Content())

    func note(_ body: @Sendable (inout Content) -> Void) { value.withLock { body(&$0) } }
    var content: Content { value.withLock { $0 } }
}
