import Cryptography
import KeychainSync
import Secrets
import TestSupport
import Testing

@testable import KeychainSyncDriver

/// Two keychains of a circle with one item, whose second device is going to be hostile.
struct HostileScene {
    let pair: SyncPair
    let desk: PeerName

    init() throws {
        pair = try SyncPair()
        pair.first.add("ada", "1")
        try pair.settle()
        desk = try #require(pair.first.device.state?.machine?.memory.peer)
    }

    /// The second device is removed, and its keys are in other hands.
    func removed() throws -> Forger {
        let forger = try Forger(pair.second)
        _ = try pair.first.device.remove("laptop", through: pair.first.relay())
        try pair.first.pass()
        return forger
    }

    func members() throws -> [String] {
        try pair.first.device.status()?.devices.map(\.deviceName) ?? []
    }

    var circle: Circle { get throws { try #require(pair.first.device.state?.machine?.circle) } }

    /// How many bytes the relay has.
    func relayed() throws -> Int {
        try pair.first.relay().everything().flatMap(\.entries).reduce(0) { $0 + $1.count }
    }

    static func stranger() throws -> SoftwareSigner {
        try SoftwareSigner(
            signing: .generate(.ellipticCurve(.p256)),
            agreement: .generate(.ellipticCurve(.p256))
        )
    }

    static func stamp(_ milliseconds: UInt64, _ counter: UInt32 = 0) throws -> Stamp {
        try #require(Stamp(milliseconds: milliseconds, counter: counter))
    }

    /// The only item of a keychain as a change with some stamp.
    static func change(of peer: SyncPeer, at stamp: Stamp) throws -> ItemChange {
        let versions = try #require(peer.device.state?.machine?.memory.versions)
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
    let scene: HostileScene

    init() throws { scene = try HostileScene() }

    @Test func `cannot stop others by changing an item twice in one entry`() throws {
        let pair = scene.pair
        let forger = try Forger(pair.second)
        let old = try HostileScene.change(of: pair.second, at: HostileScene.stamp(1))
        pair.second.add("ada", "2")
        let new = try HostileScene.change(
            of: pair.second,
            at: HostileScene.stamp(2_000_000_000_000)
        )
        var segment = Segment<ItemChange>()
        segment.changes = [new, old]
        try forger.write(segment)
        let report = try pair.first.pass()
        #expect(report.damagedStreams[forger.peer]?.contains("changes twice") == true)
        #expect(pair.first.value("ada") == "1")
        _ = try pair.first.device.remove("laptop", through: pair.first.relay())
    }

    /// Of two versions with the same stamp the greater digest wins, whichever that is.
    @Test(arguments: 0..<16)
    func `cannot keep a change from others by the last stamp that there is`(number: Int) throws {
        let pair = scene.pair
        let forger = try Forger(pair.second)
        let last = try HostileScene.stamp(253_402_300_799_999, .max)
        pair.second.add("ada", "last")
        var segment = Segment<ItemChange>()
        segment.changes = [try HostileScene.change(of: pair.second, at: last)]
        try forger.write(segment)
        try pair.first.pass()
        #expect(pair.first.value("ada") == "last")
        let third = try SyncPeer("tablet", pair.server)
        try pair.join(third, approvedBy: pair.first)
        pair.first.add("ada", "mine \(number)")
        try pair.first.pass()
        try third.pass()
        try pair.first.pass()
        #expect(pair.first.value("ada") == third.value("ada"))
    }

    @Test func `cannot stop others by what it says of streams`() throws {
        let pair = scene.pair
        let forger = try Forger(pair.second)
        var segment = Segment<ItemChange>()
        segment.heads[scene.desk] = StreamHead(entryCount: 2, digest: .zeros)
        try forger.write(segment)
        let report = try pair.first.pass()
        #expect(report.isForked)
        #expect(try pair.first.device.status()?.devices.map(\.isForked).contains(true) == true)
        #expect(try !pair.first.pass().isForked)
        _ = try pair.first.device.remove("laptop", through: pair.first.relay())
        try pair.first.pass()
        #expect(try pair.first.device.status()?.devices.map(\.isForked) == [false])
    }

    /// The generations that there are before the removal.
    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func `cannot come back by saying that it removed its remover before`(
        generation: UInt64
    ) throws {
        let pair = scene.pair
        let forger = try scene.removed()
        try forger.tell([
            try forger.statement(
                .remove(scene.desk, entryCount: 0, counted: []),
                generation: generation,
                entry: 1
            )
        ])
        pair.first.add("ada", "2")
        try pair.first.pass()
        #expect(try scene.members() == ["desk"])
        #expect(throws: SyncFailure.self) { try pair.second.pass() }
        #expect(pair.second.value("ada") == "1")
    }

    @Test func `cannot make entries count that it writes after its removal`() throws {
        let pair = scene.pair
        let forger = try Forger(pair.second)
        // It says that a statement stands in the last entry that there can be.
        let keys = try HostileScene.stranger().keys
        try forger.tell([
            try forger.statement(.add(keys, deviceName: "spy"), generation: 3, entry: .max)
        ])
        _ = try pair.first.device.remove("laptop", through: pair.first.relay())
        pair.second.add("ada", "evil")
        var segment = Segment<ItemChange>()
        segment.changes = [
            try HostileScene.change(of: pair.second, at: HostileScene.stamp(2_000_000_000_000))
        ]
        try forger.write(segment)
        try pair.first.pass()
        #expect(pair.first.value("ada") == "1")
    }

    @Test func `cannot keep others waiting for an entry that nobody has seen`() throws {
        let pair = scene.pair
        let forger = try Forger(pair.second)
        let third = try SyncPeer("tablet", pair.server)
        try pair.join(third, approvedBy: pair.first)
        try pair.settle()
        let tablet = try #require(third.device.state?.machine?.memory.peer)
        let readers = EpochReaders(
            [scene.desk, forger.peer, try scene.circle.recoveryName],
            removed: [tablet]
        )
        let epoch = EpochName(unchecked: [UInt8](repeating: 1, count: EpochName.byteCount))
        let generation = try scene.circle.nextGeneration
        try forger.tell([
            try forger.statement(.rotate(epoch, readers), generation: generation, entry: 1 << 63)
        ])
        try pair.first.pass()
        try third.device.leave(through: third.relay())
        pair.first.add("bob", "2")
        try pair.first.pass()
        #expect(try pair.first.device.status()?.unpublishedCount == 0)
    }

    @Test func `cannot have an epoch sorted last for ever`() throws {
        let pair = scene.pair
        let forger = try Forger(pair.second)
        // It has the key, says that it has not, and that it will have been removed.
        let key = Secret(copying: [UInt8](repeating: 7, count: AESGCM.keyByteCount))
        let epoch = try EpochName(of: key)
        let readers = EpochReaders(
            [scene.desk, try scene.circle.recoveryName],
            removed: [forger.peer]
        )
        let number = try forger.next().number
        try forger.tell([
            try forger.statement(.rotate(epoch, readers), generation: 3, entry: number),
            try forger.statement(.rotate(epoch, readers), generation: .max, entry: number),
        ])
        try forger.give(SharedSecret(key), to: pair.first)
        _ = try pair.first.device.remove("laptop", through: pair.first.relay())
        #expect(pair.first.device.state?.epochKeys[epoch] != nil)
        #expect(try scene.circle.epochs.contains { $0.name == epoch && !$0.isClean })
        #expect(try scene.circle.nextGeneration < 10)
        pair.first.add("bob", "2")
        try pair.first.pass()
        let last = try #require(pair.first.relay().everything().first { $0.stream == scene.desk })
        let shown = try UnverifiedEntry(
            try #require(last.entries.last),
            of: pair.code.accountName(),
            at: EntryPlace(scene.desk, UInt64(last.entries.count - 1)),
            after: nil
        )
        #expect(shown.header.epoch != epoch)
    }

    @Test func `cannot make a segment unreadable by statements that few can check`() throws {
        let pair = scene.pair
        let forger = try Forger(pair.second)
        let unknown = try HostileScene.stranger()
        let statement = try Statement(
            .add(try HostileScene.stranger().keys, deviceName: "spy"),
            generation: 3,
            entry: 0,
            in: pair.code.accountName(),
            by: unknown
        )
        try forger.tell([statement])
        #expect(try pair.first.pass().damagedStreams.isEmpty)
        #expect(try scene.members() == ["desk", "laptop"])
    }
}

@Suite("A removed device") struct RemovedDeviceTests {
    let scene: HostileScene
    let forger: Forger

    init() throws {
        scene = try HostileScene()
        forger = try scene.removed()
    }

    @Test func `cannot stop others by what it says of their streams`() throws {
        var segment = Segment<ItemChange>()
        let digest = SyncDigest(unchecked: [UInt8](repeating: 7, count: SyncDigest.byteCount))
        segment.heads[scene.desk] = StreamHead(entryCount: 2, digest: digest)
        try forger.write(segment)
        try scene.pair.first.pass()
    }

    /// With the generation of its own membership or of its removal, in an entry that counts.
    @Test(arguments: [2, 3] as [UInt64], [0, 1] as [UInt64])
    func `cannot add a device, whatever it says of the time`(
        generation: UInt64,
        entry: UInt64
    ) throws {
        // Which of two statements of a generation comes first is by chance: some of these do.
        try forger.tell(
            try (0..<8).map { _ in try forger.adding(generation: generation, entry: entry) }
        )
        try scene.pair.first.pass()
        #expect(try scene.members() == ["desk"])
    }

    @Test func `cannot use up the generations`() throws {
        let keys = try HostileScene.stranger().keys
        try forger.tell([
            try forger.statement(.add(keys, deviceName: "spy"), generation: .max, entry: 9)
        ])
        try scene.pair.first.pass()
        #expect(try scene.circle.nextGeneration < 10)
    }

    @Test func `cannot hide who asks to join`() throws {
        let pair = scene.pair
        let third = try SyncPeer("tablet", pair.server)
        let fingerprint = try third.device.requestToJoin(
            pair.code,
            deviceName: "tablet",
            relayName: "memory"
        )
        try third.pass()
        let keys = try #require(third.device.signer?.keys)
        try forger.tell([
            try forger.statement(.add(keys, deviceName: "tablet"), generation: 4, entry: 9)
        ])
        let relay = try pair.first.relay()
        #expect(try pair.first.device.approve(fingerprint, through: relay) == "tablet")
        #expect(try third.pass().isMember)
    }

    @Test func `cannot make others write without bounds`() throws {
        try forger.tell(
            try (0..<400 as Range<UInt64>).map {
                try forger.adding(generation: 4 + $0 / 50, entry: 9)
            }
        )
        let before = try scene.relayed()
        try scene.pair.first.pass()
        try scene.pair.first.pass()
        #expect(try scene.relayed() - before < 1 << 21)
        let known = try #require(scene.pair.first.device.state?.machine?.memory.statements)
        #expect(known.values.count { $0.author == forger.peer } <= 32)
    }

    @Test func `cannot welcome a device that a member approves`() throws {
        let pair = scene.pair
        let third = try SyncPeer("tablet", pair.server)
        let fingerprint = try third.device.requestToJoin(
            pair.code,
            deviceName: "tablet",
            relayName: "memory"
        )
        try third.pass()
        // Its own view of the circle, in which it is a member and adds the device.
        let keys = try #require(third.device.signer?.keys)
        let add = try forger.statement(.add(keys, deviceName: "tablet"), generation: 9, entry: 9)
        try forger.welcome(third, saying: [add])
        _ = try pair.first.device.approve(fingerprint, through: pair.first.relay())
        #expect(try third.pass().isMember)
        #expect(try third.device.status()?.devices.map(\.deviceName) == ["desk", "tablet"])
    }
}
