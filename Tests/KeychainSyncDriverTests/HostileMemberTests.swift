import Cryptography
import KeychainMessages
import KeychainSync
import Secrets
import SyncRelay
import TestSupport
import Testing

@testable import KeychainSyncDriver

/// Two keychains of a circle with one item, whose second device is going to be hostile.
struct HostileScene {
    let pair: SyncPair
    let ada: KeyName

    init(keeper: Bool = false) throws {
        pair = try SyncPair()
        pair.first.add("ada", "1")
        try pair.settle()
        if keeper { _ = try pair.first.device.promote("bob", through: pair.first.relay()) }
        try pair.settle()
        ada = try #require(pair.first.device.state?.machine.memory.peer)
    }

    /// The second device is removed, and its keys are in other hands.
    func removed() throws -> Forger {
        let forger = try Forger(pair.second)
        _ = try pair.first.device.remove("bob", through: pair.first.relay())
        return forger
    }

    func members() throws -> [String] {
        try pair.first.device.status()?.devices.map(\.deviceName) ?? []
    }

    static func stamp(_ milliseconds: UInt64, _ counter: UInt32 = 0) throws -> Stamp {
        try #require(Stamp(milliseconds: milliseconds, counter: counter))
    }

    /// The only item of a keychain as a change with some stamp.
    static func change(of peer: SyncPeer, at stamp: Stamp) throws -> ItemChange {
        let versions = try #require(peer.device.state?.machine.memory.versions)
        let name = try #require(versions.keys.first)
        let item = try #require(try peer.device.keychain.contents(of: [name])[name])
        let version = ItemVersion(stamp, SyncDigest(unchecked: item.digest))
        return ItemChange(
            ChangeMark(item: name, version: version, isTombstone: item.isTombstone),
            item.content
        )
    }
}

@Suite("A hostile member") struct HostileMemberTests {
    @Test func `cannot stop others by changing an item twice in one entry`() throws {
        let scene = try HostileScene()
        let pair = scene.pair
        let forger = try Forger(pair.second)
        let old = try HostileScene.change(of: pair.second, at: HostileScene.stamp(1))
        pair.second.add("ada", "2")
        let new = try HostileScene.change(of: pair.second, at: HostileScene.stamp(2))
        var segment = Segment<ItemChange>()
        segment.changes = [new, old]
        try forger.write(segment)
        let report = try pair.first.pass()
        #expect(report.faults.keys.map(\.stream) == [forger.stream])
        #expect(pair.first.value("ada") == "1")
        _ = try pair.first.device.remove("bob", through: pair.first.relay())
    }

    @Test(.requirement("CIR-07"), .requirement("CIR-10"), arguments: [false, true])
    func `cannot freeze an item with a stamp of the year 9999`(isRemoved: Bool) throws {
        let scene = try HostileScene()
        let pair = scene.pair
        let forger = try Forger(pair.second)
        let last = try HostileScene.stamp(Stamp.lastMilliseconds, .max)
        pair.second.add("ada", "last")
        var segment = Segment<ItemChange>()
        segment.changes = [try HostileScene.change(of: pair.second, at: last)]
        try forger.write(segment)
        let report = try pair.first.pass()
        #expect(Array(report.faults.values) == [.aheadOfClock])
        #expect(try pair.first.device.status()?.entryFaults.map(\.fault) == [.aheadOfClock])
        #expect(pair.first.value("ada") == "1")
        if isRemoved {
            _ = try pair.first.device.remove("bob", through: pair.first.relay())
            #expect(try pair.first.pass().faults.isEmpty)
        }
        let third = try SyncPeer("cyd", pair.server)
        try pair.join(third, approvedBy: pair.first)
        pair.first.add("ada", "mine")
        try pair.first.pass()
        try third.pass()
        #expect(third.value("ada") == "mine")
    }

    @Test func `cannot stop others by what it says of streams`() throws {
        let scene = try HostileScene()
        let pair = scene.pair
        let forger = try Forger(pair.second)
        let stream = try #require(pair.first.device.state?.machine.memory.stream)
        var segment = Segment<ItemChange>()
        segment.heads[stream] = StreamHead(entryCount: 1, digest: .zeros)
        try forger.write(segment)
        #expect(try pair.first.pass().isForked)
        #expect(try pair.first.device.status()?.devices.map(\.isForked).contains(true) == true)
        #expect(try !pair.first.pass().isForked)
        _ = try pair.first.device.remove("bob", through: pair.first.relay())
        #expect(try pair.first.device.status()?.devices.map(\.isForked) == [false])
    }

    @Test func `stops others from writing only as long as it is in the circle`() throws {
        let scene = try HostileScene()
        let pair = scene.pair
        let forger = try Forger(pair.second)
        try forger.write(Segment<ItemChange>(), naming: .zeros)
        pair.first.add("ada", "2")
        let report = try pair.first.pass()
        #expect(Array(report.faults.values) == [.unknownLink(.zeros)])
        #expect(report.sentCount == 0)
        _ = try pair.first.device.remove("bob", through: pair.first.relay())
        #expect(try pair.first.device.status()?.unpublishedCount == 0)
    }

    @Test(.requirement("CIR-03"), .requirement("CIR-02"))
    func `cannot come back after its removal`() throws {
        let scene = try HostileScene(keeper: true)
        let pair = scene.pair
        let forger = try scene.removed()
        let eve = try Forger.stranger()
        var lie = try Forger.adding(eve)
        let head = try forger.head
        try forger.put(lie, after: head)
        lie.removed = [scene.ada]
        // Nobody signs a link that takes out who is earlier in the order.
        #expect(throws: (any Error).self) { try forger.put(lie, after: head) }
        pair.first.add("ada", "2")
        try pair.first.pass()
        #expect(try scene.members() == ["ada"])
        #expect(throws: SyncFailure.self) { try pair.second.pass() }
        #expect(pair.second.value("ada") == "1")
        #expect(try pair.first.device.status()?.linkFaults.count == 1)
    }

    @Test(.requirement("CIR-04"))
    func `cannot undo its removal by the recovery key, though it founded the circle`() throws {
        let scene = try HostileScene(keeper: true)
        let pair = scene.pair
        let forger = try Forger(pair.first)
        let paper = try SyncPair.recoveryKey().signer()
        _ = try pair.second.device.remove("ada", with: paper, through: pair.second.relay())
        for number in 0..<forger.state.machine.chain.chain.count {
            let head = try forger.head(at: number)
            try forger.put(try Forger.adding(try Forger.stranger()), after: head)
        }
        try pair.second.pass()
        #expect(try pair.second.device.status()?.devices.map(\.deviceName) == ["bob"])
        #expect(throws: SyncFailure.self) { try pair.first.pass() }
    }

    @Test(.requirement("CIR-04"))
    func `cannot use an old recovery key that signed its replacement`() throws {
        let scene = try HostileScene()
        let pair = scene.pair
        let forger = try Forger(pair.second)
        let paper = try SyncPair.recoveryKey().signer()
        try pair.first.device.replaceRecoveryKey(
            SyncPair.recoveryKey(3).signer().keys,
            with: paper,
            through: pair.first.relay()
        )
        for number in 0..<forger.state.machine.chain.chain.count {
            var lie = try Forger.adding(try Forger.stranger())
            if number > 0 { lie.removed = [scene.ada] }
            try forger.put(lie, after: try forger.head(at: number), by: [paper])
        }
        try pair.settle()
        #expect(try scene.members() == ["ada", "bob"])
        pair.first.add("ada", "2")
        try pair.settle()
        #expect(pair.second.value("ada") == "2")
    }

    @Test(.requirement("CIR-05"))
    func `opens nothing that is written after its removal was read`() throws {
        let scene = try HostileScene(keeper: true)
        let pair = scene.pair
        let third = try SyncPeer("cyd", pair.server)
        try pair.join(third, approvedBy: pair.first)
        try pair.settle()
        let forger = try scene.removed()
        try third.pass()
        third.add("ada", "after")
        try third.pass()
        let names = Set(forger.state.keys.keys)
        let used = try #require(third.device.state?.machine.circle?.keyName)
        #expect(!names.contains(used))
        try pair.first.pass()
        #expect(pair.first.value("ada") == "after")
    }
}

@Suite("A chain that changes") struct ChangingChainTests {
    @Test func `says again what a keeper said at the same time as an earlier one`() throws {
        let scene = try HostileScene(keeper: true)
        let pair = scene.pair
        let (cyd, dan) = (try SyncPeer("cyd", pair.server), try SyncPeer("dan", pair.server))
        var prints: [SyncCode] = []
        for peer in [cyd, dan] {
            prints.append(
                try peer.device.requestToJoin(
                    pair.code,
                    deviceName: peer.name,
                    relayName: "memory"
                )
            )
            try peer.pass()
        }
        // bob does not see what ada does meanwhile.
        let relay = try pair.second.relay()
        _ = try pair.first.device.approve(prints[0], through: pair.first.relay())
        relay.network.hiddenLinks = Set(try relay.links()).subtracting(
            pair.second.device.state?.listedLinks ?? []
        )
        _ = try pair.second.device.approve(prints[1], through: relay)
        relay.network.hiddenLinks = []
        #expect(try dan.pass().isMember == false)
        for _ in 0..<2 {
            for peer in [pair.first, pair.second, cyd] { try peer.pass() }
        }
        #expect(try dan.pass().isMember)
        #expect(try scene.members() == ["ada", "bob", "cyd", "dan"])
    }

    @Test func `tells items again that were told under a link that is gone`() throws {
        let scene = try HostileScene(keeper: true)
        let pair = scene.pair
        let relay = try pair.second.relay()
        let cyd = try SyncPeer("cyd", pair.server)
        let print = try cyd.device.requestToJoin(
            pair.code,
            deviceName: "cyd",
            relayName: "memory"
        )
        try cyd.pass()
        let known = Set(try relay.links())
        // Both let cyd in at the same time, and bob writes under his link.
        _ = try pair.first.device.approve(print, through: pair.first.relay())
        relay.network.hiddenLinks = Set(try relay.links()).subtracting(known)
        _ = try pair.second.device.approve(print, through: relay)
        pair.second.add("bob", "under his link")
        _ = try pair.second.device.pass(through: relay)
        relay.network.hiddenLinks = []
        try pair.settle()
        try pair.settle()
        #expect(pair.first.value("bob") == "under his link")
        #expect(try cyd.pass().isMember)
        #expect(cyd.value("bob") == "under his link")
    }

    @Test func `of a device that was put back goes on in another stream`() throws {
        let pair = try SyncPair()
        pair.first.add("ada", "1")
        try pair.settle()
        // What the relay knows, and a keychain of before does not.
        let own = try #require(pair.second.device.state?.machine.memory.stream)
        let records = try pair.second.device.keychain.records([])
        pair.second.add("bob", "lost")
        try pair.settle()
        let now = try pair.second.device.keychain.records([])
        let gone = now.filter { record in !records.contains { $0.key == record.key } }
        _ = try pair.second.device.keychain.apply(
            [],
            keeping: records + gone.map { SyncRecord(key: $0.key, value: nil) }
        )
        pair.second.restart()
        pair.second.add("cyd", "new")
        let report = try pair.second.pass()
        #expect(report.notices.contains { if case .restored = $0 { true } else { false } })
        let stream = try #require(pair.second.device.state?.machine.memory.stream)
        #expect(stream != own && stream.device == own.device)
        try pair.settle()
        #expect(
            pair.values(["ada", "bob", "cyd"]) == [["1", "lost", "new"], ["1", "lost", "new"]]
        )
    }
}
