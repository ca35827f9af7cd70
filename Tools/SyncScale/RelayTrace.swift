import KeychainSync
import Synchronization

/// ★ The kinds of calls that a device makes to a relay.
enum RelayCall: Int, CaseIterable, Sendable {
    /// The first call of a pass, of any kind, which connects.
    case connect
    case list
    case read
    case append
    case trim
}

/// Entries that one call appended or read.
struct EntryRun: Sendable {
    let account: AccountName
    let stream: StreamName
    let first: UInt64
    /// The size of each entry in bytes.
    let sizes: [Int]

    var byteCount: Int { sizes.reduce(0, +) }
}

/// All calls of devices to a relay in one phase.
struct RelayTrace: Sendable {
    /// The times of the calls in seconds.
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

/// The shared record of the threads of a phase.
final class TraceBook: Sendable {
    struct Content: Sendable {
        var trace = RelayTrace()
        /// The time of each turn of a device, in seconds.
        var turns: [Double] = []
        var sentCount = 0
        var receivedCount = 0
    }

    private let value = Mutex(Content())

    func note(_ body: @Sendable (inout Content) -> Void) { value.withLock { body(&$0) } }
    var content: Content { value.withLock { $0 } }
}
