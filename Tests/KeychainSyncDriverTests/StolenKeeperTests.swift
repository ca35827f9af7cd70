import Cryptography
import KeychainSync
import Secrets
import SyncRelay
import Testing

@testable import KeychainSyncDriver

/// Somebody has the keys of a keeper; earlier keepers and the recovery key can always answer.
@Suite("A stolen keeper") struct StolenKeeperTests {
    let pair: SyncPair
    let carl: SyncPeer
    let bob: Forger

    /// ada founded the circle, bob is a keeper whose keys are stolen, and carl is a member.
    init() throws {
        pair = try SyncPair()
        carl = try SyncPeer("carl", pair.server)
        try pair.join(carl, approvedBy: pair.first)
        _ = try pair.first.device.promote("bob", through: pair.first.relay())
        try pair.second.pass()
        try carl.pass()
        bob = try Forger(pair.second)
    }

    private func name(_ peer: SyncPeer) throws -> KeyName {
        let signer = peer.device.signer
        return try #require(signer).name()
    }

    private func members(_ peer: SyncPeer) throws -> [String] {
        let status = try peer.device.status()
        return try #require(status).devices.map(\.deviceName)
    }

    /// The boxes of what bob's thief signs.
    enum Boxes: CaseIterable, Sendable { case whole, garbage, none }

    private func steal(removing gone: [KeyName], _ boxes: Boxes) throws {
        var changes = Link.Changes()
        changes.removed = gone
        let (state, head) = (bob.state, try bob.head)
        let key = try #require(state.keys[head.state.keyName])
        let made = try LinkWriter(SystemRandomSource(), time: 0).follow(
            changes,
            after: head,
            key,
            state.membership.code,
            by: [bob.signer]
        )
        let nonce = [UInt8](repeating: 7, count: 12)
        let bytes = try LinkFormat.seal(made.link, state.membership.code, nonce: nonce)
        let place = try LinkPlace(number: made.link.number, of: bytes)
        let kept: [UInt8]? =
            switch boxes {
            case .whole: made.boxes
            case .garbage: made.boxes.map { $0 ^ 1 }
            case .none: nil
            }
        try pair.first.relay().put(bytes, boxes: kept, at: place)
    }

    @Test func `removes nobody that is an earlier keeper`() throws {
        let founder = try name(pair.first)
        #expect(throws: SyncError.notAllowed(.removesSenior(founder))) {
            try steal(removing: [founder], .whole)
        }
    }

    @Test func `does not lift itself above its seniors by a recovery key of its own`() throws {
        var changes = Link.Changes()
        changes.recovery = .keys(try Forger.stranger().keys)
        #expect(throws: SyncError.notAllowed(.recoveryByJunior)) {
            try bob.put(changes, after: bob.head)
        }
        let relay = try pair.second.relay()
        let keys = try Forger.stranger().keys
        let failure = #expect(throws: SyncFailure.self) {
            try pair.second.device.replaceRecoveryKey(keys, through: relay)
        }
        guard case .notFirstKeeper = failure else {
            Issue.record("another failure: \(String(describing: failure))")
            return
        }
    }

    @Test(arguments: Boxes.allCases)
    func `cannot keep the key from the founder`(boxes: Boxes) throws {
        let gone = try name(carl)
        try steal(removing: [gone], boxes)
        try pair.first.pass()
        _ = try pair.first.device.remove("bob", .stay, through: pair.first.relay())
        #expect(try members(pair.first).contains("bob") == false)
        pair.first.add("mail", "after")
        #expect(try pair.first.pass().sentCount == 1)
    }

    /// Links of bob's thief, each of which lets so many devices in.
    private func letIn(devices count: Int, times: Int) throws {
        var chain = bob.state.machine.chain
        for _ in 0..<times {
            var changes = Link.Changes()
            for _ in 0..<count {
                let keys = try Forger.stranger().keys
                changes.added.append(try Link.Newcomer(keys, deviceName: "x", isKeeper: false))
            }
            let made = try bob.put(changes, after: try #require(chain.head))
            try chain.add([made.link])
        }
    }

    @Test func `is removed with more devices than one link has room for`() throws {
        try letIn(devices: 100, times: 11)
        let gone = try pair.first.device.remove("bob", .go, through: pair.first.relay())
        #expect(gone.count == 1_101)
        #expect(try members(pair.first) == ["ada", "carl"])
    }

    @Test func `has links that do not count named with their reasons`() throws {
        var changes = Link.Changes()
        changes.removed = [try name(carl)]
        let founder = try Forger(pair.first)
        try founder.put(Forger.adding(Forger.stranger()), after: founder.head)
        let made = try bob.put(changes, after: bob.head)
        try pair.first.pass()
        // A program that is started anew reads the circle's own links alone.
        pair.first.restart()
        #expect(try #require(try pair.first.device.status()).linkFaults.isEmpty)
        let faults = try pair.first.device.linkFaults(through: pair.first.relay())
        #expect(faults.map(\.link) == [made.link.digest])
        #expect(faults.map(\.fault) == [.overruled(by: try name(pair.first))])
    }

    /// Devices whose names are fingerprints of others.
    @Test func `cannot make itself irremovable by names of devices`() throws {
        let own = try name(pair.second).fingerprint.text
        let eve = try Forger.stranger()
        var changes = Link.Changes()
        changes.added = [
            try Link.Newcomer(eve.keys, deviceName: own, isKeeper: true),
            try Link.Newcomer(
                Forger.stranger().keys,
                deviceName: eve.name().fingerprint.text,
                isKeeper: true
            ),
        ]
        try bob.put(changes, after: bob.head)
        let relay = try pair.first.relay()
        let second = try pair.first.device.remove(
            eve.name().fingerprint.text,
            .stay,
            through: relay
        )
        #expect(second == [own])
        #expect(try pair.first.device.remove(own, .stay, through: relay) == ["bob"])
        // What is no device's fingerprint may be a name.
        let third = try eve.name().fingerprint.text
        #expect(try pair.first.device.remove(third, .stay, through: relay) == [third])
        #expect(try members(pair.first) == ["ada", "carl"])
    }

    /// A stolen founder gives the circle a recovery key with carl's keys, while bob lets carl in.
    @Test func `cannot stop a keeper by a link that it owes and cannot make`() throws {
        let dora = try SyncPeer("dora", pair.server)
        let founder = try Forger(pair.first)
        try pair.join(dora, approvedBy: pair.second)
        var changes = Link.Changes()
        changes.recovery = .keys(try #require(dora.device.signer).keys)
        try founder.put(changes, after: founder.head)
        pair.second.add("mail", "1")
        let report = try pair.second.pass()
        #expect(report.owedLink == .notAllowed(.recoveryKeyOfDevice))
        #expect(report.sentCount == 1)
    }

    @Test func `removes nobody for good who saw a part of the links`() throws {
        // The founder signed behind the link that bob's thief signs behind, too.
        let dora = try SyncPeer("dora", pair.server)
        let before = try pair.first.relay().links()
        try pair.join(dora, approvedBy: pair.first)
        try steal(removing: [try name(carl)], .whole)
        let relay = try carl.relay()
        let stolen = try stolenPlaces()
        relay.network.hiddenLinks = Set(
            try relay.links().filter { !before.contains($0) && !stolen.contains($0) }
        )
        #expect(throws: SyncFailure.self) { try carl.device.pass(through: relay) }
        relay.network.hiddenLinks = []
        #expect(try carl.device.pass(through: relay).isMember)
        #expect(try members(carl) == ["ada", "bob", "carl", "dora"])
    }

    /// The links on the relay that remove somebody.
    private func stolenPlaces() throws -> [LinkPlace] {
        let all = try pair.first.relay()
        return try all.links(at: all.links()).filter { _, bytes in
            let link = try? LinkFormat.open(bytes, pair.code)
            return link?.changes.removed.isEmpty == false
        }.map(\.place)
    }
}
