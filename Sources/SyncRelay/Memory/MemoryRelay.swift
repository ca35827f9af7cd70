import KeychainSockets
import KeychainSync
import Synchronization

/// A relay in this process, for tests and simulated devices.
///
/// ```swift
/// let server = MemoryRelayServer()
/// let relay = try MemoryRelay(server, account)
/// relay.network.isOffline = true
/// ```
/// Limits of waits count on the server's clock: a wait ends by an event, or when the test lets time
/// pass.
package final class MemoryRelay: Relay {
    private struct View: Sendable {
        var network = MemoryNetwork()
        /// What `streams` returned last.
        var seen: [PeerName: Range<UInt64>] = [:]
        var isInterrupted = false
    }

    private let server: MemoryRelayServer
    private let account: AccountName
    private let view = Mutex(View())
    private let bell: RelayWait

    package let entryByteCountLimit: Int

    /// A device's connection with a server.
    package init(
        _ server: MemoryRelayServer,
        _ account: AccountName,
        entryByteCountLimit: Int = RelayLimit.entryByteCount
    ) throws(RelayError) {
        self.server = server
        self.account = account
        self.entryByteCountLimit = entryByteCountLimit
        bell = try RelayWait()
        let (id, bell) = (ObjectIdentifier(self), bell)
        server.content.withLock { $0.bells[id] = bell }
    }

    deinit {
        let id = ObjectIdentifier(self)
        server.content.withLock { $0.bells[id] = nil }
    }

    /// The way to the server; a change of it takes effect at once.
    package var network: MemoryNetwork {
        get { view.withLock { $0.network } }
        set {
            view.withLock { $0.network = newValue }
            bell.interrupt()
        }
    }

    package func prepare() throws(RelayError) { _ = try reachable() }

    package func streams() throws(RelayError) -> [PeerName: Range<UInt64>] {
        let ranges = visible(try reachable())
        view.withLock { $0.seen = ranges }
        return ranges
    }

    package func entries(
        of stream: PeerName,
        from first: UInt64,
        byteCountLimit: Int
    ) throws(RelayError) -> [[UInt8]] {
        let network = try reachable()
        guard let range = visible(network)[stream], range.contains(first) else { return [] }
        var entries: [[UInt8]] = []
        var byteCount = 0
        for number in first..<range.upperBound where entries.isEmpty || byteCount < byteCountLimit {
            let own = server.content.withLock { $0.accounts[account]?[stream]?[number]?.bytes }
            guard let entry = network.disguised[EntryPlace(stream, number)] ?? own else { break }
            byteCount += entry.count
            entries.append(entry)
        }
        return entries
    }

    package func append(
        _ entry: [UInt8],
        to stream: PeerName,
        at number: UInt64
    ) throws(RelayError) {
        let network = try reachable()
        guard entry.count <= entryByteCountLimit else {
            throw .tooLarge(limit: entryByteCountLimit)
        }
        try RelayLimit.check(number, count: 1)
        let result = server.content.withLock { content -> Result<Void, RelayError> in
            let new = MemoryRelayServer.Entry(
                bytes: entry,
                time: content.now,
                writer: ObjectIdentifier(self)
            )
            guard let old = content.accounts[account]?[stream] else {
                let stream = [stream: MemoryRelayServer.Stream(first: number, entries: [new])]
                content.accounts[account, default: [:]].merge(stream) { $1 }
                content.ring()
                return .success(())
            }
            if let kept = old[number] {
                return kept.bytes == entry ? .success(()) : .failure(.occupied(stream, number))
            }
            guard number == old.range.upperBound else { return .failure(.gap(stream, number)) }
            content.accounts[account]?[stream]?.entries.append(new)
            content.ring()
            return .success(())
        }
        try result.get()
        if network.losesAnswers { throw .unreachable("the answer was lost") }
    }

    package func trim(_ stream: PeerName, below number: UInt64) throws(RelayError) {
        _ = try reachable()
        server.content.withLock { content in
            guard let old = content.accounts[account]?[stream], number > old.first else { return }
            let first = min(number, old.range.upperBound - 1)
            content.accounts[account]?[stream]?.entries.removeFirst(Int(first - old.first))
            content.accounts[account]?[stream]?.first = first
            content.ring()
        }
    }

    package func waitForChange(upTo limit: Duration) throws(RelayError) -> Bool {
        let end = server.now + limit
        while true {
            let (network, seen, isInterrupted) = view.withLock { view in
                defer { view.isInterrupted = false }
                return (view.network, view.seen, view.isInterrupted)
            }
            if isInterrupted { return false }
            if !network.isOffline, visible(network) != seen { return true }
            guard server.now < end else {
                _ = try reachable()
                return false
            }
            _ = bell.wait(until: .never)
        }
    }

    package func interrupt() {
        view.withLock { $0.isInterrupted = true }
        bell.interrupt()
    }

    private func reachable() throws(RelayError) -> MemoryNetwork {
        let network = network
        guard !network.isOffline else { throw .unreachable("the device is offline") }
        return network
    }

    /// What this device is shown now.
    private func visible(_ network: MemoryNetwork) -> [PeerName: Range<UInt64>] {
        server.content.withLock { content in
            let streams = content.accounts[account] ?? [:]
            var ranges: [PeerName: Range<UInt64>] = [:]
            for (name, stream) in streams {
                let shown = stream.entries.prefix {
                    $0.writer == ObjectIdentifier(self) || $0.time + network.delay <= content.now
                }
                let end = min(stream.first + UInt64(shown.count), network.withheld[name] ?? .max)
                if end > stream.first { ranges[name] = stream.first..<end }
            }
            return ranges
        }
    }
}
