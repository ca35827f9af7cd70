import KeychainMessages
import KeychainModel
import KeychainSync
import SyncRelay
import TestSupport
import Testing

@testable import KeychainSyncDriver

@Suite("A hostile relay") struct HostileRelayTests {
    let pair: SyncPair
    let account: AccountName
    let stream: StreamName

    init() throws {
        pair = try SyncPair()
        account = try pair.code.accountName()
        pair.first.add("ada", "1")
        try pair.settle()
        pair.first.add("ada", "2")
        try pair.first.pass()
        stream = try #require(pair.first.device.state?.machine.memory.stream)
    }

    private func last() throws -> (number: UInt64, bytes: [UInt8]) {
        let relay = try pair.first.relay()
        let range = try #require(try relay.streams()[stream])
        let number = range.upperBound - 1
        let bytes = try #require(
            try relay.entries(of: stream, from: number, byteCountLimit: 1).first
        )
        return (number, bytes)
    }

    /// Places in the header, the body and the signature.
    @Test(arguments: [0, 5, 30, 45, 60, 90, 110, 137, 300, -1])
    func `cannot change an entry`(place: Int) throws {
        var (number, bytes) = try last()
        bytes[place < 0 ? bytes.count + place : place] ^= 1
        pair.server.replace(EntryPlace(stream, number), of: account, with: bytes)
        let report = try pair.second.pass()
        #expect(report.faults.keys.contains { $0.stream == stream })
        #expect(pair.second.value("ada") == "1")
    }

    @Test func `cannot show an earlier entry in the place of a later one`() throws {
        let relay = try pair.first.relay()
        let number = try last().number
        let earlier = try relay.entries(of: stream, from: number - 1, byteCountLimit: 1)
        let shown = try #require(earlier.first)
        pair.server.replace(EntryPlace(stream, number), of: account, with: shown)
        #expect(try pair.second.pass().faults.keys.contains { $0.stream == stream })
    }

    @Test func `is noticed if it forgets entries`() throws {
        try pair.second.pass()
        pair.server.forget(stream, of: account, from: try last().number)
        let failure = #expect(throws: SyncFailure.self) { try pair.second.pass() }
        #expect(failure?.isRollback == true)
        #expect(pair.second.value("ada") == "2")
    }

    @Test func `is noticed by the device whose entries it forgot`() throws {
        try pair.first.pass()
        pair.server.forget(stream, of: account, from: try last().number)
        let failure = #expect(throws: SyncFailure.self) { try pair.first.pass() }
        #expect(failure?.isRollback == true)
    }

    @Test func `cannot stop a circle with streams of strangers`() throws {
        let stranger = StreamName(unchecked: [UInt8](repeating: 9, count: 40))
        let relay = try pair.first.relay()
        try relay.append([UInt8](repeating: 7, count: 300), to: stranger, at: 0)
        try relay.append([1], to: stranger, at: 1)
        try pair.second.pass()
        #expect(pair.second.value("ada") == "2")
    }

    @Test(arguments: [true, false])
    func `cannot stop a circle with one stream that it damaged`(isOfMember: Bool) throws {
        let stranger = StreamName(unchecked: [UInt8](repeating: 9, count: 40))
        let relay = try pair.first.relay()
        try relay.append([7], to: stranger, at: 0)
        try relay.append([7], to: stranger, at: 1)
        let shown = DamagedRelay(
            relay: try pair.second.relay(),
            stream: isOfMember ? stream : stranger
        )
        let report = try pair.second.device.pass(through: shown)
        #expect(report.faults.keys.contains { $0.stream == stream } == isOfMember)
        #expect(pair.second.value("ada") == (isOfMember ? "1" : "2"))
        #expect(try pair.second.device.requests(through: shown).isEmpty)
    }

    @Test(.requirement("CIR-06"))
    func `cannot fork a stream with the twin of a signature`() throws {
        let (number, bytes) = try last()
        let twin = bytes.dropLast(64) + SignatureTwin.twin(of: Array(bytes.suffix(64)))
        try pair.second.pass()
        let third = try SyncPeer("cyd", pair.server)
        pair.server.replace(EntryPlace(stream, number), of: account, with: Array(twin))
        try pair.join(third, approvedBy: pair.first)
        try third.pass()
        #expect(third.value("ada") == "2")
        for peer in [pair.first, pair.second, third] {
            let report = try peer.pass()
            #expect(report.faults.isEmpty && report.notices.isEmpty)
        }
    }

    @Test(.requirement("CIR-06"), arguments: [1, 3])
    func `cannot silence a device with garbage in its next places`(count: Int) throws {
        let relay = try pair.second.relay()
        for round in 0..<count {
            let own = try #require(pair.first.device.state?.machine.memory.stream)
            let next = try relay.streams()[own]?.upperBound ?? 0
            try relay.append([UInt8](repeating: 7, count: 300), to: own, at: next)
            pair.first.add("ada", "round \(round)")
            try pair.first.pass()
            try pair.second.pass()
            #expect(pair.second.value("ada") == "round \(round)")
        }
        try pair.settle()
        try pair.settle()
        #expect(try pair.second.pass().faults.isEmpty)
        #expect(try relay.streams().keys.count { $0.device == stream.device } == 1)
    }

    @Test func `cannot lure a device into another circle`() throws {
        // The relay founds a circle of its own, whose member approves the device.
        let server = MemoryRelayServer()
        let attacker = try SyncPeer("attacker", server)
        try SyncPair.found(attacker)
        let victim = try SyncPeer("victim", server)
        _ = try victim.device.requestToJoin(pair.code, deviceName: "victim", relayName: "memory")
        try victim.pass()
        // All entries of the other circle appear under the account that the device looks at.
        let shown = try victim.relay()
        try attacker.relay().everything().forEach {
            try shown.append(contentsOf: $0.entries, to: $0.stream, at: 0)
        }
        #expect(try !victim.pass().isMember)
    }
}

@Suite("A kill") struct InterruptionTests {
    /// The relay's calls and the keychain's that come before the kill.
    @Test(arguments: 0..<24) func `at any step loses nothing`(step: Int) throws {
        let pair = try SyncPair()
        pair.first.add("ada", "1")
        pair.second.add("bob", "2")
        pair.first.add("gone", "3")
        try pair.settle()
        pair.first.add("ada", "4")
        pair.first.delete("gone")
        pair.second.add("ada", "5")
        let failing = FailingEndpoint(pair.first.fixture.keychain.endpoint, after: step)
        pair.first.device = SyncPeer.device(pair.first.fixture, failing)
        _ = try? pair.first.pass()
        pair.first.restart()
        try pair.settle()
        try pair.second.pass()
        let values = pair.values(["ada", "bob", "gone"])
        #expect(values[0] == values[1])
        #expect(values[0].dropFirst() == ["2", nil])
        #expect(["4", "5"].contains(values[0][0]))
    }

    @Test(arguments: 0..<8) func `while a device joins loses nothing`(step: Int) throws {
        let pair = try SyncPair()
        pair.first.add("ada", "1")
        try pair.first.pass()
        let third = try SyncPeer("cyd", pair.server)
        let fingerprint = try third.device.requestToJoin(
            pair.code,
            deviceName: "cyd",
            relayName: "memory"
        )
        try third.pass()
        let failing = FailingEndpoint(pair.first.fixture.keychain.endpoint, after: step)
        pair.first.device = SyncPeer.device(pair.first.fixture, failing)
        let relay = try MemoryRelay(pair.server, try pair.code.accountName())
        _ = try? pair.first.device.approve(fingerprint, through: relay)
        pair.first.restart()
        if try !third.pass().isMember {
            _ = try pair.first.pass()
            if try !third.pass().isMember {
                _ = try pair.first.device.approve(fingerprint, through: relay)
            }
        }
        try third.pass()
        #expect(third.value("ada") == "1")
    }
}

/// A keychain that is gone after some requests of synchronization.
final class FailingEndpoint: Endpoint {
    private let endpoint: any Endpoint
    private let count: Countdown

    init(_ endpoint: any Endpoint, after count: Int) {
        self.endpoint = endpoint
        self.count = Countdown(count)
    }

    var profiles: Profiles { endpoint.profiles }

    func send(_ request: Request) throws(KeychainError) -> Reply {
        if case .synchronization = request, count.isOver() {
            throw KeychainError(.notAvailable, "killed")
        }
        return try endpoint.send(request)
    }

    func note(_ finding: Finding) {}
}

extension SyncFailure {
    var isRollback: Bool { if case .rolledBack = self { true } else { false } }
}

/// A relay one of whose streams has what no peer writes.
private struct DamagedRelay: Relay {
    let relay: MemoryRelay
    let stream: StreamName

    var entryByteCountLimit: Int { relay.entryByteCountLimit }
    var batchLimit: BatchLimit { relay.batchLimit }

    func prepare() throws(RelayError) { try relay.prepare() }

    func streams() throws(RelayError) -> [StreamName: Range<UInt64>] { try relay.streams() }

    func entries(
        of stream: StreamName,
        from first: UInt64,
        byteCountLimit: Int
    ) throws(RelayError) -> [[UInt8]] {
        guard stream != self.stream else { throw .damaged("a file has other bytes") }
        return try relay.entries(of: stream, from: first, byteCountLimit: byteCountLimit)
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

    func stored(
        _ part: LinkPart,
        at places: [LinkPlace]
    ) throws(RelayError) -> [[UInt8]] {
        try relay.stored(part, at: places)
    }

    func store(
        _ part: LinkPart,
        _ bytes: [UInt8],
        at place: LinkPlace
    ) throws(RelayError) {
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
