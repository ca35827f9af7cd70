import Cryptography
import KeychainSync
import KeychainSyncDriver
import Secrets
import SyncRelay

/// A device of a simulated circle: the real `SyncDevice` over a keychain and a relay in memory.
final class Device {
    let name: String
    let keychain: FakeKeychain
    var sync: SyncDevice
    var relay: MemoryRelay?
    /// The fingerprint that it shows while it waits for approval.
    var fingerprint: SyncCode?
    var isOffline = false
    /// Whether attackers have its keys and its knowledge, and a senior has to remove it.
    var isStolen = false
    /// Whether it is gone, so that it makes no more passes.
    var isGone = false
    /// The reason why its last pass failed; empty if it did not.
    var failure = ""
    /// The version of each item after its last pass; a later pass must not have an earlier one.
    var floor: [ItemName: ItemVersion] = [:]
    /// The latest version of each item that must survive, unless the device is stolen.
    var kept: [ItemName: ItemVersion] = [:]
    /// An earlier state to which a step may reset it.
    var backup: FakeKeychain.Content?

    private let random: SeededRandom

    init(_ name: String, rules: Rules, _ random: SeededRandom) {
        self.name = name
        self.random = random
        let keychain = FakeKeychain(random)
        self.keychain = keychain
        sync = SyncDevice(keychain, random: random, rules: rules.merge) { keychain.now }
    }

    /// Reduces `kept` to the versions that the device itself published.
    ///
    /// When a device goes away, or back to a backup, other versions may be lost.
    func keepTold() {
        guard let memory = sync.machine?.memory else { return kept = [:] }
        kept = kept.filter { item, version in
            guard let known = memory.versions[item], known.mark.version == version,
                let source = known.source
            else { return false }
            return source.stream == memory.stream && source.number < memory.own.publishedCount
        }
        floor = [:]
    }

    /// Restarts the device as after a kill: only the keychain's content is left.
    func restart(_ rules: Rules) {
        let keychain = keychain
        keychain.killsAfter = nil
        sync = SyncDevice(keychain, random: random, rules: rules.merge) { keychain.now }
    }
}

/// Devices of one circle, their relay, and attackers.
///
/// `ada` founded the circle, and `bob` is a keeper from the start. Both stay honest, and one of the
/// two approves and removes devices. Others may be promoted, and any of them may be stolen.
/// Attackers use keys of removed devices and old recovery keys only after the removal is on the
/// relay.
final class World {
    static let itemCount = 8
    static let deviceCount = 8

    let seed: UInt64
    let rules: Rules
    let server = MemoryRelayServer()
    let code: SyncCode
    var devices: [Device]
    /// Seconds since 2001.
    var time = 800_000_000.0
    var paper: SoftwareSigner
    var hostile = Hostile()
    /// The names of the devices that were admitted and not removed.
    var expected: Set<String> = []
    var changeCount = 0
    /// The reason why the last attempt failed.
    var lastFailure = ""
    var madeCount = 0
    let items: [ItemName]
    let random: SeededRandom
    /// The chain of all links on the relay that the simulation has judged so far.
    var judged: CircleChain
    var judgedPlaces: Set<LinkPlace> = []

    init(seed: UInt64, rules: Rules) throws {
        self.seed = seed
        self.rules = rules
        items = (0..<Self.itemCount).map { Dice.name(UInt64($0)) }
        random = SeededRandom(seed)
        paper = try random.signer()
        let ada = Device("ada", rules: rules, random)
        ada.keychain.now = time
        code = try ada.sync.create(
            deviceName: "ada",
            relayName: "memory",
            recovery: paper.keys
        )
        judged = CircleChain(code)
        devices = [ada]
        expected = ["ada"]
        ada.relay = try MemoryRelay(server, try code.accountName())
        try pass(ada)
        try join(keeper: true, approvedBy: ada)
        guard devices.count == 2 else { throw Violation(.circle, "bob is not in: \(lastFailure)") }
        try join(keeper: false, approvedBy: ada)
    }

    // MARK: Devices

    /// The devices that take part and are not stolen.
    var honest: [Device] { devices.filter { !$0.isGone && !$0.isStolen } }

    /// Returns `ada` or `bob`.
    func senior(_ dice: inout Dice) -> Device { devices[dice.below(2)] }

    /// Lets a new device ask to join, which succeeds if the approver is online.
    func join(keeper: Bool, approvedBy senior: Device) throws {
        let name = devices.count == 1 ? "bob" : "device \(madeCount)"
        madeCount += 1
        let device = Device(name, rules: rules, random)
        device.keychain.now = time
        device.relay = try MemoryRelay(server, try code.accountName())
        let fingerprint = try device.sync.requestToJoin(
            code,
            deviceName: name,
            relayName: "memory"
        )
        try pass(device)
        guard !senior.isOffline, let relay = senior.relay else { return }
        let isIn = try attempt { () throws(SyncFailure) in
            _ = try senior.sync.approve(fingerprint, keeper: keeper, through: relay)
        }
        // The device may be a member although a later step failed.
        let members = senior.sync.machine?.circle?.members ?? [:]
        guard isIn || members.values.contains(where: { $0.deviceName == name }) else { return }
        devices.append(device)
        expected.insert(name)
        try pass(device)
    }

    /// Runs an operation that may fail because of the relay, a kill, or the circle.
    ///
    /// - Returns: Whether it succeeded.
    func attempt(_ body: () throws(SyncFailure) -> Void) throws -> Bool {
        do throws(SyncFailure) {
            try body()
            return true
        } catch {
            switch error {
            case .relay(.unreachable), .keychain, .removed, .notKeeper, .rolledBack, .notJoined,
                .noSuchDevice, .noSuchRequest, .keeperAlready, .firstKeeper, .ambiguousDevice,
                .letIn:
                lastFailure = words(of: error)
                return false
            default: throw Violation(.quiescence, "\(error)")
            }
        }
    }

    private func words(of failure: SyncFailure) -> String {
        guard case .rolledBack(let stream) = failure else { return "\(failure)" }
        let device = devices.first { (try? $0.keychain.signer()?.name()) == stream.device }
        return "rolledBack stream \(stream.hexadecimal.suffix(4)) of \(device?.name ?? "-")"
    }

    /// Makes a pass of a device, and checks the promises that hold after each pass.
    func pass(_ device: Device) throws {
        guard !device.isGone, let relay = device.relay else { return }
        device.keychain.now = max(device.keychain.now, time)
        relay.network.isOffline = device.isOffline
        device.failure = ""
        let isDone = try attempt { () throws(SyncFailure) in
            let report = try device.sync.pass(through: relay)
            changeCount += report.sentCount
        }
        guard isDone, !device.isStolen else { return device.failure = lastFailure }
        try check(device)
    }

    private func check(_ device: Device) throws {
        guard let machine = device.sync.machine, machine.circle?.members[machine.memory.peer] != nil
        else { return }
        for (item, known) in machine.memory.versions {
            let version = known.mark.version
            let limit = (time + 978_307_200 + 50 * 3600) * 1000
            if Double(version.stamp.milliseconds) > limit {
                throw Violation(.stamp, "\(device.name) has a version of the far future")
            }
            if known.isHeld, !known.mark.isTombstone, device.keychain.value(of: item) == nil {
                throw Violation(.contained, "\(device.name) lacks an item that memory has")
            }
            if let least = device.floor[item], version < least {
                throw Violation(.neverBack, "\(device.name) went back")
            }
            device.floor[item] = version
            device.kept[item] = max(device.kept[item] ?? version, version)
        }
        try hostile.check(secrecyOf: machine, of: device.name)
    }
}
