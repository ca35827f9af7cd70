import KeychainSync
import SyncRelay
import Synchronization

/// A relay that records its calls and their times.
final class MeasuredRelay: Relay {
    private let base: any Relay
    private let account: AccountName
    private let noted = Mutex(RelayTrace())

    init(_ base: any Relay, _ account: AccountName) {
        self.base = base
        self.account = account
    }

    var trace: RelayTrace { noted.withLock { $0 } }
    var entryByteCountLimit: Int { base.entryByteCountLimit }
    var batchLimit: BatchLimit { base.batchLimit }

    func prepare() throws(RelayError) { try base.prepare() }
    func interrupt() { base.interrupt() }

    func streams() throws(RelayError) -> [StreamName: Range<UInt64>] {
        let start = ContinuousClock.now
        let found = try base.streams()
        note(.list, start)
        return found
    }

    func entries(
        of stream: StreamName,
        from first: UInt64,
        byteCountLimit: Int
    ) throws(RelayError) -> [[UInt8]] {
        let start = ContinuousClock.now
        let found = try base.entries(of: stream, from: first, byteCountLimit: byteCountLimit)
        note(.read, start)
        let run = EntryRun(
            account: account,
            stream: stream,
            first: first,
            sizes: found.map(\.count)
        )
        noted.withLock { trace in
            if found.isEmpty { trace.emptyReadCount += 1 } else { trace.read.append(run) }
        }
        return found
    }

    func appendBatch(
        _ entries: [[UInt8]],
        to stream: StreamName,
        at first: UInt64
    ) throws(RelayError) {
        let start = ContinuousClock.now
        try base.appendBatch(entries, to: stream, at: first)
        note(.append, start)
        let sizes = entries.map(\.count)
        let run = EntryRun(account: account, stream: stream, first: first, sizes: sizes)
        noted.withLock { $0.appended.append(run) }
    }

    func trim(_ stream: StreamName, below number: UInt64) throws(RelayError) {
        let start = ContinuousClock.now
        try base.trim(stream, below: number)
        note(.trim, start)
    }

    func remove(_ stream: StreamName) throws(RelayError) { try base.remove(stream) }

    func links() throws(RelayError) -> [LinkPlace] {
        let start = ContinuousClock.now
        defer { note(.list, start) }
        return try base.links()
    }

    func stored(
        _ part: LinkPart,
        at places: [LinkPlace]
    ) throws(RelayError) -> [[UInt8]] {
        let start = ContinuousClock.now
        defer { note(.read, start) }
        return try base.stored(part, at: places)
    }

    func store(
        _ part: LinkPart,
        _ bytes: [UInt8],
        at place: LinkPlace
    ) throws(RelayError) {
        let start = ContinuousClock.now
        defer { note(.append, start) }
        try base.store(part, bytes, at: place)
    }

    func waitForChange(upTo limit: Duration) throws(RelayError) -> Bool {
        try base.waitForChange(upTo: limit)
    }

    private func note(_ call: RelayCall, _ start: ContinuousClock.Instant) {
        let time = start.duration(to: .now) / .seconds(1)
        noted.withLock { trace in
            let kind = trace.times.isEmpty ? .connect : call
            trace.times[kind, default: []].append(time)
        }
    }
}
