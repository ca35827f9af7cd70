import KeychainSync
import SyncRelay
import Synchronization

/// A relay that notes what is asked of it, and how long it took.
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

    func prepare() throws(RelayError) { try base.prepare() }
    func interrupt() { base.interrupt() }

    func streams() throws(RelayError) -> [PeerName: Range<UInt64>] {
        let start = ContinuousClock.now
        let found = try base.streams()
        note(.list, start)
        return found
    }

    func entries(
        of stream: PeerName,
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

    func append(
        _ entry: [UInt8],
        to stream: PeerName,
        at number: UInt64
    ) throws(RelayError) {
        try append(contentsOf: [entry], to: stream, at: number)
    }

    func append(
        contentsOf entries: [[UInt8]],
        to stream: PeerName,
        at first: UInt64
    ) throws(RelayError) {
        let start = ContinuousClock.now
        try base.append(contentsOf: entries, to: stream, at: first)
        note(.append, start)
        let sizes = entries.map(\.count)
        let run = EntryRun(account: account, stream: stream, first: first, sizes: sizes)
        noted.withLock { $0.appended.append(run) }
    }

    func trim(_ stream: PeerName, below number: UInt64) throws(RelayError) {
        let start = ContinuousClock.now
        try base.trim(stream, below: number)
        note(.trim, start)
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
