import Cryptography
import KeychainSync
import SyncRelay
import Synchronization
import TestSupport
import Testing

@testable import KeychainSyncDriver

/// What a hostile writer makes others fetch.
@Suite("What is fetched from a relay") struct FetchTests {
    let pair: SyncPair
    let stream: StreamName

    init() throws {
        pair = try SyncPair()
        pair.first.add("ada", "1")
        try pair.settle()
        let machine = pair.first.device.machine
        stream = try #require(machine).memory.stream
    }

    /// Streams with garbage that are named after ada.
    private func plantFakes(_ count: UInt8) throws {
        let relay = try pair.first.relay()
        for number in 0..<count {
            let fake = StreamName(of: stream.device, [UInt8](repeating: number, count: 8))
            for entry: UInt64 in 0..<3 {
                try relay.append([UInt8](repeating: 7, count: 300), to: fake, at: entry)
            }
        }
    }

    private func pass(_ peer: SyncPeer, _ count: Int, _ relay: some Relay) throws -> [SyncReport] {
        var reports: [SyncReport] = []
        for number in 0..<count {
            peer.add("carl", "\(number)")
            reports.append(try peer.device.pass(through: relay))
        }
        return reports
    }

    /// Fault 12 of version 1: up to 8 MiB of each such stream in every pass.
    @Test func `12: has less and less of streams that are named after a member`() throws {
        try plantFakes(4)
        let counting = CountingRelay(try pair.second.relay())
        _ = try pass(pair.second, 64, counting)
        // Passes 1, 2, 4, 8, 16, 32 and 64, one entry of each of the four.
        #expect(counting.entryCount <= 4 * 7)
        #expect(try pair.second.device.status()?.entryFaults.count == 4)
        pair.first.add("ada", "2")
        try pair.first.pass()
        _ = try pair.second.device.pass(through: counting)
        #expect(pair.second.value("ada") == "2")
    }

    @Test func `has an entry at once when the link that it names comes`() throws {
        let carl = try SyncPeer("carl", pair.server)
        try pair.join(carl, approvedBy: pair.first)
        try carl.pass()
        let relay = try carl.relay()
        _ = try pair.first.device.promote("bob", through: pair.first.relay())
        let links = try pair.first.relay().links()
        pair.first.add("ada", "after it")
        try pair.first.pass()
        relay.network.hiddenLinks = Set(links.suffix(1))
        // It names a link that nobody shows: so nothing is written, in whatever pass.
        let reports = try pass(carl, 9, relay)
        #expect(reports.allSatisfy { $0.faults.count == 1 && $0.sentCount == 0 })
        relay.network.hiddenLinks = []
        _ = try carl.device.pass(through: relay)
        #expect(carl.value("ada") == "after it")
    }
}

/// A relay that counts the entries that it shows.
private final class CountingRelay: Relay {
    private let relay: MemoryRelay
    private let count = Mutex(0)

    init(_ relay: MemoryRelay) { self.relay = relay }

    var entryCount: Int { count.withLock { $0 } }

    var entryByteCountLimit: Int { relay.entryByteCountLimit }
    var batchLimit: BatchLimit { relay.batchLimit }

    func prepare() throws(RelayError) { try relay.prepare() }

    func streams() throws(RelayError) -> [StreamName: Range<UInt64>] { try relay.streams() }

    func entries(
        of stream: StreamName,
        from first: UInt64,
        byteCountLimit: Int
    ) throws(RelayError) -> [[UInt8]] {
        let entries = try relay.entries(of: stream, from: first, byteCountLimit: byteCountLimit)
        count.withLock { $0 += entries.count }
        return entries
    }

    func appendBatch(
        _ entries: [[UInt8]],
        to stream: StreamName,
        at first: UInt64
    ) throws(RelayError) {
        try relay.appendBatch(entries, to: stream, at: first)
    }

    func remove(_ stream: StreamName) throws(RelayError) { try relay.remove(stream) }

    func links() throws(RelayError) -> [LinkPlace] { try relay.links() }

    func stored(_ part: LinkPart, at places: [LinkPlace]) throws(RelayError) -> [[UInt8]] {
        try relay.stored(part, at: places)
    }

    func store(_ part: LinkPart, _ bytes: [UInt8], at place: LinkPlace) throws(RelayError) {
        try relay.store(part, bytes, at: place)
    }

    func trim(_ stream: StreamName, below number: UInt64) throws(RelayError) {
        try relay.trim(stream, below: number)
    }

    func waitForChange(upTo limit: Duration) throws(RelayError) -> Bool {
        try relay.waitForChange(upTo: limit)
    }

    func interrupt() { relay.interrupt() }
}
