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
/// Time limits of waits use the server's clock: a wait ends at an event, or when the test advances
/// the time.
package final class MemoryRelay: Relay {
    private struct View: Sendable {
        var network = MemoryNetwork()
        /// The last listings; nil before the first one.
        var streams: [StreamName: Range<UInt64>]?
        var links: [LinkPlace]?
        var isInterrupted = false
    }

    private let server: MemoryRelayServer
    private let account: AccountName
    private let view = Mutex(View())
    private let bell: RelayWait

    package let entryByteCountLimit: Int
    package let batchLimit = BatchLimit.none

    /// Makes a device's connection to a server.
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

    /// The network to the server; changes take effect at once.
    package var network: MemoryNetwork {
        get { view.withLock { $0.network } }
        set {
            view.withLock { $0.network = newValue }
            bell.interrupt()
        }
    }

    package func prepare() throws(RelayError) { _ = try reachable() }

    package func streams() throws(RelayError) -> [StreamName: Range<UInt64>] {
        let ranges = visible(try reachable())
        view.withLock { $0.streams = ranges }
        return ranges
    }

    package func entries(
        of stream: StreamName,
        from first: UInt64,
        byteCountLimit: Int
    ) throws(RelayError) -> [[UInt8]] {
        let network = try reachable()
        guard let range = visible(network)[stream], range.contains(first) else { return [] }
        return try (first..<range.upperBound).entries(byteCountLimit: byteCountLimit) { number in
            let own = server.content.withLock { $0.accounts[account]?[stream]?[number]?.bytes }
            return network.disguised[EntryPlace(stream, number)] ?? own
        }
    }

    package func appendBatch(
        _ entries: [[UInt8]],
        to stream: StreamName,
        at first: UInt64
    ) throws(RelayError) {
        let network = try reachable()
        for (offset, entry) in entries.enumerated() {
            try keep(entry, stream, first + UInt64(offset))
        }
        try tell(network)
    }

    private func keep(
        _ entry: [UInt8],
        _ stream: StreamName,
        _ number: UInt64
    ) throws(RelayError) {
        let result = server.content.withLock { content -> Result<Void, RelayError> in
            let new = own(entry, at: content.now)
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
    }

    package func trim(_ stream: StreamName, below number: UInt64) throws(RelayError) {
        let network = try reachable()
        server.content.withLock { content in
            guard let old = content.accounts[account]?[stream], number > old.first else { return }
            let first = min(number, old.range.upperBound - 1)
            content.accounts[account]?[stream]?.entries.removeFirst(Int(first - old.first))
            content.accounts[account]?[stream]?.first = first
            content.ring()
        }
        try tell(network)
    }

    package func remove(_ stream: StreamName) throws(RelayError) {
        let network = try reachable()
        server.content.withLock { content in
            content.accounts[account]?[stream] = nil
            content.ring()
        }
        try tell(network)
    }

    package func waitForChange(upTo limit: Duration) throws(RelayError) -> Bool {
        let end = server.now + limit
        while true {
            let seen = view.withLock { view in
                defer { view.isInterrupted = false }
                return view
            }
            if seen.isInterrupted { return false }
            if !seen.network.isOffline, hasNews(since: seen) { return true }
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

    private func hasNews(since seen: View) -> Bool {
        if seen.streams == nil, seen.links == nil { return true }
        let hasNewEntries = seen.streams.map { visible(seen.network) != $0 } ?? false
        return hasNewEntries || seen.links.map { visibleLinks(seen.network) != $0 } ?? false
    }

    private func reachable() throws(RelayError) -> MemoryNetwork {
        let network = network
        guard !network.isOffline else { throw .unreachable("the device is offline") }
        return network
    }

    /// Throws if the network loses the response to a change.
    private func tell(_ network: MemoryNetwork) throws(RelayError) {
        if network.losesAnswers { throw .unreachable("the answer was lost") }
    }

    private func own(_ bytes: [UInt8], at time: Duration) -> MemoryRelayServer.Entry {
        MemoryRelayServer.Entry(bytes: bytes, time: time, writer: ObjectIdentifier(self))
    }

    private func shows(
        _ entry: MemoryRelayServer.Entry,
        _ network: MemoryNetwork,
        at now: Duration
    ) -> Bool {
        entry.writer == ObjectIdentifier(self) || entry.time + network.delay <= now
    }

    /// Returns the streams that this device sees now.
    private func visible(_ network: MemoryNetwork) -> [StreamName: Range<UInt64>] {
        server.content.withLock { content in
            let streams = content.accounts[account] ?? [:]
            var ranges: [StreamName: Range<UInt64>] = [:]
            for (name, stream) in streams {
                let shown = stream.entries.prefix { shows($0, network, at: content.now) }
                let end = min(stream.first + UInt64(shown.count), network.withheld[name] ?? .max)
                if end > stream.first { ranges[name] = stream.first..<end }
            }
            return ranges
        }
    }
}

// MARK: - Links
extension MemoryRelay {
    package func links() throws(RelayError) -> [LinkPlace] {
        let links = visibleLinks(try reachable())
        view.withLock { $0.links = links }
        return links
    }

    package func stored(
        _ part: LinkPart,
        at places: [LinkPlace]
    ) throws(RelayError) -> [[UInt8]] {
        let network = try reachable()
        return server.content.withLock { content in
            places.map { place in
                let kept = content.links[account]?[part]?[place]
                let isShown = kept.map { shows($0, network, at: content.now) } ?? false
                return isShown && !network.hiddenLinks.contains(place) ? kept?.bytes ?? [] : []
            }
        }
    }

    package func store(
        _ part: LinkPart,
        _ bytes: [UInt8],
        at place: LinkPlace
    ) throws(RelayError) {
        let network = try reachable()
        server.content.withLock { content in
            guard content.links[account]?[part]?[place]?.bytes != bytes else { return }
            let new = own(bytes, at: content.now)
            content.links[account, default: [:]][part, default: [:]][place] = new
            content.ring()
        }
        try tell(network)
    }

    private func visibleLinks(_ network: MemoryNetwork) -> [LinkPlace] {
        server.content.withLock { content in
            let kept = content.links[account]?[.link] ?? [:]
            return kept.filter { place, link in
                shows(link, network, at: content.now) && !network.hiddenLinks.contains(place)
            }.keys.sorted()
        }
    }
}
