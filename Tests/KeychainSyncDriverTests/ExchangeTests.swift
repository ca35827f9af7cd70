import EngineTestSupport
import KeychainModel
import KeychainSync
import ModelTestSupport
import SyncRelay
import TestSupport
import Testing

@testable import KeychainSyncDriver

@Suite("Two keychains of a circle") struct ExchangeTests {
    let pair: SyncPair

    init() throws { pair = try SyncPair() }

    @Test func `have the same items, whoever added, changed or deleted them`() throws {
        pair.first.add("ada", "1")
        pair.second.add("bob", "2")
        try pair.settle()
        #expect(pair.values(["ada", "bob"]) == [["1", "2"], ["1", "2"]])
        pair.second.add("ada", "3")
        pair.first.delete("bob")
        try pair.settle()
        try pair.second.pass()
        #expect(pair.values(["ada", "bob"]) == [["3", nil], ["3", nil]])
    }

    @Test func `agree on the later of two changes`() throws {
        pair.first.add("ada", "early")
        pair.second.fixture.clock.advance(seconds: 60)
        pair.second.add("ada", "late")
        try pair.settle()
        #expect(pair.values(["ada"]) == [["late"], ["late"]])
    }

    @Test func `leave out what is not synchronizable`() throws {
        pair.first.fixture.keychain.add(password("ada"), "local")
        try pair.settle()
        #expect(pair.second.fixture.keychain.read(password("ada")) == .notFound)
    }

    @Test func `keep items local while synchronization is off`() throws {
        try pair.first.device.setOn(false)
        pair.first.add("ada", "1")
        try pair.settle()
        #expect(pair.values(["ada"]) == [["1"], [nil]])
        try pair.first.device.setOn(true)
        try pair.settle()
        #expect(pair.values(["ada"]) == [["1"], ["1"]])
    }

    @Test func `wait while one is locked`() throws {
        pair.first.add("ada", "1")
        try pair.first.pass()
        let locked = pair.second
        let relay = try locked.relay()
        try locked.lock()
        let failure = #expect(throws: SyncFailure.self) { try locked.device.pass(through: relay) }
        #expect(failure?.status == .interactionNotAllowed)
        try locked.fixture.unlock()
        try locked.pass()
        #expect(locked.value("ada") == "1")
    }

    @Test func `forget what they know of items while one is locked`() throws {
        pair.first.add("ada", "1")
        try pair.settle()
        try pair.second.device.forgetIfLocked()
        #expect(pair.second.device.state != nil)
        try pair.second.lock()
        try pair.second.device.forgetIfLocked()
        #expect(pair.second.device.state == nil && pair.second.device.signer == nil)
        try pair.second.fixture.unlock()
        pair.second.add("ada", "2")
        try pair.second.pass()
        try pair.settle()
        #expect(pair.values(["ada"]) == [["2"], ["2"]])
    }

    @Test func `go on after a change of the passcode`() throws {
        try pair.first.fixture.engine.setPasscode(
            EngineFixture.secret("5678"),
            current: EngineFixture.secret(EngineFixture.passcode)
        )
        pair.first.add("ada", "1")
        try pair.settle()
        #expect(pair.values(["ada"]) == [["1"], ["1"]])
    }

    @Test func `learn of an item that was deleted while its class was closed`() throws {
        pair.first.add("ada", "1")
        try pair.settle()
        try pair.first.lock()
        pair.first.delete("ada")
        try pair.first.fixture.unlock()
        try pair.settle()
        #expect(pair.values(["ada"]) == [[nil], [nil]])
    }

    @Test func `show in no entry and no record what they exchange`() throws {
        pair.first.add("marker-account", "marker-value")
        try pair.settle()
        var shown = try pair.first.relay().everything().flatMap { $0.entries.flatMap(\.self) }
        shown += try pair.second.device.keychain.records([]).flatMap { $0.key + ($0.value ?? []) }
        #expect(shown.count > 4000)
        let found = ["marker", "ada", "bob"].filter { marker in
            shown.firstRange(of: Array(marker.utf8)) != nil
        }
        #expect(found.isEmpty)
    }

    @Test func `send what fits a small relay, and tell of the rest`() throws {
        pair.first.add("small", "1")
        pair.first.add("large", String(repeating: "x", count: 100_000))
        let report = try pair.first.device.pass(
            through: try pair.first.relay(entryByteCountLimit: 200_000)
        )
        #expect(report.tooLargeCount == 1)
        try pair.second.pass()
        #expect(pair.values(["small"]) == [["1"], ["1"]])
        #expect(pair.second.value("large") == nil)
    }
}

@Suite("A circle") struct CircleMembershipTests {
    let pair: SyncPair

    init() throws { pair = try SyncPair() }

    @Test func `tells a device that it was removed, and nothing after that`() throws {
        try pair.settle()
        let removed = try pair.first.device.remove("bob", through: pair.first.relay())
        #expect(removed == ["bob"])
        pair.first.add("ada", "after")
        try pair.first.pass()
        let failure = #expect(throws: SyncFailure.self) { try pair.second.pass() }
        #expect(failure?.isRemoval == true)
        #expect(pair.second.value("ada") == nil)
        let keys = try #require(pair.second.device.state?.keys.keys)
        let current = try #require(pair.first.device.state?.keys.keys)
        #expect(Set(current).subtracting(keys).count == 1)
    }

    @Test func `tells a removed device once, also from a program that begins anew`() throws {
        try pair.settle()
        _ = try pair.first.device.remove("bob", through: pair.first.relay())
        try pair.first.pass()
        let told = try pair.first.relay().streams()
        pair.first.restart()
        try pair.first.pass()
        #expect(try pair.first.relay().streams() == told)
    }

    @Test func `takes a removed device in again, as another one`() throws {
        try pair.settle()
        _ = try pair.first.device.remove("bob", through: pair.first.relay())
        #expect(throws: SyncFailure.self) { try pair.second.pass() }
        pair.first.add("ada", "1")
        try pair.join(pair.second, approvedBy: pair.first)
        try pair.settle()
        #expect(pair.values(["ada"]) == [["1"], ["1"]])
    }

    @Test func `is left with a word to the others`() throws {
        pair.first.add("ada", "1")
        try pair.settle()
        try pair.second.device.leave(through: pair.second.relay())
        #expect(try pair.second.device.membership() == nil)
        #expect(pair.second.value("ada") == "1")
        try pair.first.pass()
        #expect(try pair.first.device.status()?.devices.map(\.deviceName) == ["ada"])
    }

    @Test func `counts what a pass would send`() throws {
        pair.first.add("ada", "1")
        pair.first.add("bob", "2")
        let added = try pair.first.device.status()
        #expect(added?.unpublishedCount == 2)
        #expect(added?.itemCount == 2)
        try pair.settle()
        pair.first.delete("ada")
        let deleted = try pair.first.device.status()
        #expect(deleted?.unpublishedCount == 1)
        #expect(deleted?.itemCount == 1)
        try pair.settle()
        #expect(try pair.first.device.status()?.unpublishedCount == 0)
        #expect(pair.second.value("ada") == nil)
    }

    @Test func `lets a device join with the recovery key alone`() throws {
        pair.first.add("ada", "1")
        try pair.settle()
        let third = try SyncPeer("cyd", pair.server)
        let relay = try MemoryRelay(pair.server, try pair.code.accountName())
        try third.device.join(
            pair.code,
            with: SyncPair.recoveryKey(),
            deviceName: third.name,
            relayName: "memory",
            through: relay
        )
        try third.pass()
        #expect(third.value("ada") == "1")
        third.add("cid", "3")
        try third.pass()
        try pair.settle()
        #expect(pair.values(["cid"]) == [["3"], ["3"]])
    }

    @Test func `refuses another recovery key, and remembers nothing of the attempt`() throws {
        let third = try SyncPeer("cyd", pair.server)
        let relay = try MemoryRelay(pair.server, try pair.code.accountName())
        let failure = #expect(throws: SyncFailure.self) {
            try third.device.join(
                pair.code,
                with: SyncPair.recoveryKey(2),
                deviceName: third.name,
                relayName: "memory",
                through: relay
            )
        }
        #expect(failure?.isWrongRecoveryKey == true)
        #expect(try third.device.membership() == nil)
        #expect(try third.device.keychain.records([]).isEmpty)
    }

    /// A wrong key, and a relay that does not have the circle.
    @Test(arguments: [(2 as UInt8, true), (1, false)])
    func `keep what they have if joining with the recovery key fails`(
        key: UInt8,
        relayHasCircle: Bool
    ) throws {
        pair.first.add("ada", "1")
        try pair.settle()
        _ = try pair.first.device.remove("bob", through: pair.first.relay())
        let (second, code) = (pair.second, pair.code)
        #expect(throws: SyncFailure.self) { try second.pass() }
        let before = try second.device.keychain.records([])
        let signer = try second.device.keychain.signer()?.name()
        let server = relayHasCircle ? pair.server : MemoryRelayServer()
        let relay = try MemoryRelay(server, try code.accountName())
        let failure = #expect(throws: SyncFailure.self) {
            try second.device.join(
                code,
                with: SyncPair.recoveryKey(key),
                deviceName: "bob",
                relayName: "memory",
                through: relay
            )
        }
        #expect(failure?.isWrongRecoveryKey == true)
        #expect(try second.device.membership()?.phase == .removed)
        #expect(try second.device.keychain.records([]) == before)
        #expect(try second.device.keychain.signer()?.name() == signer)
        try second.device.join(
            code,
            with: SyncPair.recoveryKey(),
            deviceName: "bob",
            relayName: "memory",
            through: MemoryRelay(pair.server, try code.accountName())
        )
        #expect(try second.pass().isMember)
    }

    @Test(arguments: [true, false])
    func `ends the earlier recovery key with a new one`(earlierSigns: Bool) throws {
        try pair.first.device.replaceRecoveryKey(
            SyncPair.recoveryKey(3).signer().keys,
            with: earlierSigns ? SyncPair.recoveryKey().signer() : nil,
            through: pair.first.relay()
        )
        pair.first.add("ada", "after")
        try pair.first.pass()
        let third = try SyncPeer("cyd", pair.server)
        let relay = try MemoryRelay(pair.server, try pair.code.accountName())
        let code = pair.code
        let failure = #expect(throws: SyncFailure.self) {
            try third.device.join(
                code,
                with: SyncPair.recoveryKey(),
                deviceName: third.name,
                relayName: "memory",
                through: relay
            )
        }
        #expect(failure?.isWrongRecoveryKey == true)
        try third.device.join(
            code,
            with: SyncPair.recoveryKey(3),
            deviceName: third.name,
            relayName: "memory",
            through: relay
        )
        try third.pass()
        #expect(third.value("ada") == "after")
    }

    @Test func `changes only by keepers`() throws {
        let third = try SyncPeer("cyd", pair.server)
        let fingerprint = try third.device.requestToJoin(
            pair.code,
            deviceName: "cyd",
            relayName: "memory"
        )
        try third.pass()
        let relay = try pair.second.relay()
        let failure = #expect(throws: SyncFailure.self) {
            try pair.second.device.approve(fingerprint, through: relay)
        }
        #expect(failure?.isForKeepers == true)
        _ = try pair.first.device.promote("bob", through: pair.first.relay())
        _ = try pair.second.device.approve(fingerprint, through: relay)
        #expect(try third.pass().isMember)
    }

    @Test func `asks what becomes of those whom a removed device let in`() throws {
        _ = try pair.first.device.promote("bob", through: pair.first.relay())
        let third = try SyncPeer("cyd", pair.server)
        try pair.join(third, approvedBy: pair.second, keeper: true)
        let fourth = try SyncPeer("dan", pair.server)
        try pair.join(fourth, approvedBy: third)
        let relay = try pair.first.relay()
        let failure = #expect(throws: SyncFailure.self) {
            try pair.first.device.remove("bob", through: relay)
        }
        guard case .letIn(let names) = failure else { return #expect(Bool(false)) }
        #expect(names.sorted() == ["cyd", "dan"])
        let gone = try pair.first.device.remove("bob", .go, through: relay)
        #expect(gone.sorted() == ["bob", "cyd", "dan"])
        #expect(try pair.first.device.status()?.devices.map(\.deviceName) == ["ada"])
    }

    @Test func `shows the same code of its chain on all devices`() throws {
        try pair.settle()
        let heads = try [pair.first.device.status()?.head, pair.second.device.status()?.head]
        #expect(heads[0] != nil && heads[0] == heads[1])
    }

    @Test func `does not let a device in that nobody approved`() throws {
        let third = try SyncPeer("cyd", pair.server)
        _ = try third.device.requestToJoin(pair.code, deviceName: "cyd", relayName: "memory")
        try third.pass()
        try pair.settle()
        #expect(try !third.pass().isMember)
        let asking = try pair.first.device.requests(through: pair.first.relay())
        #expect(asking.map(\.deviceName) == ["cyd"])
        let stranger = try #require(SyncCode("0000-0000-0000-0000-0000"))
        let failure = #expect(throws: SyncFailure.self) {
            try pair.first.device.approve(stranger, through: pair.first.relay())
        }
        #expect(failure?.isUnknownRequest == true)
        let code = pair.code
        #expect(throws: SyncFailure.self) {
            try pair.first.device.approve(code, through: pair.first.relay())
        }
    }

    @Test func `refuses to be founded in another one`() {
        #expect(throws: SyncFailure.self) { try SyncPair.found(pair.first) }
    }
}

extension SyncFailure {
    var status: SecurityStatus? {
        if case .keychain(let error) = self { error.status } else { nil }
    }

    var isRemoval: Bool { if case .removed = self { true } else { false } }

    var isWrongRecoveryKey: Bool { if case .wrongRecoveryKey = self { true } else { false } }

    var isForKeepers: Bool { if case .notKeeper = self { true } else { false } }

    var isUnknownRequest: Bool { if case .noSuchRequest = self { true } else { false } }
}
