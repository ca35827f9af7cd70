import Cryptography
import KeychainSync
import Secrets
import SyncRelay
import TestSupport
import Testing

@testable import KeychainSyncDriver

/// What others can still read after a keeper or a relay spoilt something.
@Suite("A spoilt circle") struct SpoiltChainTests {
    let pair: SyncPair
    let carl: SyncPeer

    /// ada founded the circle, bob is a keeper, and carl a member; ada told an item.
    init() throws {
        pair = try SyncPair()
        carl = try SyncPeer("carl", pair.server)
        try pair.join(carl, approvedBy: pair.first)
        _ = try pair.first.device.promote("bob", through: pair.first.relay())
        pair.first.add("mail", "before")
        try pair.settle()
        try carl.pass()
    }

    private func name(_ peer: SyncPeer) throws -> KeyName {
        let signer = peer.device.signer
        return try #require(signer).name()
    }

    private func ask(_ name: String) throws -> (SyncPeer, SyncCode) {
        let peer = try SyncPeer(name, pair.server)
        let print = try peer.device.requestToJoin(pair.code, deviceName: name, relayName: "memory")
        try peer.pass()
        return (peer, print)
    }

    /// bob cannot reach the relay, and writes some entries.
    private func writeInTheDark(_ count: Int, _ relay: MemoryRelay) {
        for number in 0..<count {
            pair.second.add("note \(number)", "1")
            _ = try? pair.second.device.pass(through: relay)
        }
    }

    /// bob removes carl, and seals another key than the one before the new one; as often as wanted.
    private func spoil(times: Int) throws {
        var gone = try name(carl)
        for time in 0..<times {
            var changes = Link.Changes()
            changes.removed = [gone]
            if time < times - 1 {
                let stranger = try Forger.stranger()
                changes.added = try Forger.adding(stranger, keeper: false).added
                gone = try stranger.name()
            }
            let bob = try Forger(pair.second)
            let wrong = SharedSecret(try SystemRandomSource().secret(32))
            let made = try LinkWriter(SystemRandomSource(), time: 0).follow(
                changes,
                after: bob.head,
                wrong,
                pair.code,
                by: [bob.signer]
            )
            let nonce = try SystemRandomSource().bytes(AESGCM.nonceByteCount)
            let bytes = try LinkFormat.seal(made.link, pair.code, nonce: nonce)
            let place = try LinkPlace(number: made.link.number, of: bytes)
            try pair.first.relay().put(bytes, boxes: made.boxes, at: place)
            try pair.second.pass()
        }
    }

    @Test(arguments: [1, 3])
    func `gives newcomers the keys that a keeper did not seal`(times: Int) throws {
        try spoil(times: times)
        // One comes in before another keeper notices, one after it.
        let (dan, danPrint) = try ask("dan")
        _ = try pair.second.device.approve(danPrint, through: pair.second.relay())
        try dan.pass()
        let (eve, evePrint) = try ask("eve")
        _ = try pair.first.device.approve(evePrint, through: pair.first.relay())
        try eve.pass()
        try dan.pass()
        #expect(eve.value("mail") == "before" && dan.value("mail") == "before")
        let chain = try #require(pair.first.device.machine).chain
        try pair.settle()
        #expect(try #require(pair.first.device.machine).chain.chain.count == chain.chain.count)
    }

    @Test func `gives lost keys without anybody's action`() throws {
        try spoil(times: 1)
        let (dan, print) = try ask("dan")
        _ = try pair.second.device.approve(print, through: pair.second.relay())
        try dan.pass()
        try pair.first.pass()
        try dan.pass()
        #expect(dan.value("mail") == "before")
    }

    @Test func `keeps what a device told under a link that is gone, and never came back`()
        throws
    {
        let (dan, danPrint) = try ask("dan")
        let (_, evePrint) = try ask("eve")
        let relay = try pair.second.relay()
        let known = Set(try relay.links())
        // bob lets dan in while he does not see what ada does; carl sees bob's link alone.
        _ = try pair.first.device.approve(evePrint, through: pair.first.relay())
        let hidden = Set(try relay.links()).subtracting(known)
        relay.network.hiddenLinks = hidden
        _ = try pair.second.device.approve(danPrint, through: relay)
        pair.second.add("note", "under his link")
        _ = try pair.second.device.pass(through: relay)
        let seen = try carl.relay()
        seen.network.hiddenLinks = hidden
        _ = try carl.device.pass(through: seen)
        #expect(carl.value("note") == "under his link")
        // bob never comes back.
        seen.network.hiddenLinks = []
        _ = try carl.device.pass(through: seen)
        _ = try carl.device.pass(through: seen)
        try pair.first.pass()
        #expect(pair.first.value("note") == "under his link")
        _ = dan
    }

    @Test(arguments: [1, 2, 5])
    func `does not silence a device that wrote on while garbage took its place`(count: Int) throws {
        let relay = try pair.second.relay()
        let stream = try #require(pair.second.device.machine).memory.stream
        let next = try #require(try relay.streams()[stream]).upperBound
        relay.network.isOffline = true
        writeInTheDark(count, relay)
        let garbage = [UInt8](repeating: 7, count: 300)
        try pair.first.relay().append(garbage, to: stream, at: next)
        relay.network.isOffline = false
        _ = try pair.second.device.pass(through: relay)
        _ = try pair.second.device.pass(through: relay)
        try pair.first.pass()
        #expect((0..<count).allSatisfy { pair.first.value("note \($0)") == "1" })
        pair.first.add("mail", "after")
        try pair.first.pass()
        #expect(try pair.second.pass().faults.isEmpty)
        #expect(pair.second.value("mail") == "after")
    }

    @Test(arguments: [false, true])
    func `lets nobody in that took its request back`(isPlaceTaken: Bool) throws {
        let (dan, print) = try ask("dan")
        let relay = try MemoryRelay(pair.server, try pair.code.accountName())
        if isPlaceTaken {
            let state = dan.device.state
            let stream = try #require(state).membership.stream
            try relay.append([UInt8](repeating: 7, count: 300), to: stream, at: 1)
        }
        // bob approves in the dark, so the approval comes onto the chain later than dan's word.
        try dan.device.leave(through: relay)
        _ = try pair.second.device.approve(print, through: pair.second.relay())
        try pair.settle()
        try pair.settle()
        let status = try #require(try pair.first.device.status())
        #expect(status.devices.map(\.deviceName) == ["ada", "bob", "carl"])
    }
}
