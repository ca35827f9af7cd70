import KeychainSync

/// Devices, the relay between them, and the reference that they are compared with.
struct World {
    static let itemCount = 20
    /// As many devices as there are at one time, at most.
    static let deviceCount = 10
    /// As many as there ever are, with those that were removed.
    static let peerCount = 24

    /// The names of the items, which are the same in every run.
    static let items: [ItemName] = (0..<itemCount).map { Dice.name(0x17e3, UInt64($0)) }
    static let itemNumbers = [ItemName: Int](
        uniqueKeysWithValues: items.enumerated().map { ($0.element, $0.offset) }
    )

    let seed: UInt64
    let rules: Rules
    var devices: [Device] = []
    var relay = RelayModel()
    var reference = Reference(itemCount: itemCount)
    /// For each epoch, peers that were removed before something was sealed under it.
    var sealedWithout: [EpochName: Set<PeerName>] = [:]
    /// The number of the step.
    var now = 0
    /// Whether the relay betrays its readers now, so that notices are in order.
    var isRelayHonest = true
    /// What devices were told while it was not.
    var notices: Set<SyncNotice> = []
    /// Steps, entries read and so on: a number that grows while something happens.
    var activity = 0
    private var serial: UInt64 = 0
    var recoveryCount = 0
    /// The peers that removed another.
    var removers: Set<PeerName> = []

    init(seed: UInt64, rules: Rules) throws {
        self.seed = seed
        self.rules = rules
        let founder = try Self.keys(seed, 0)
        let recovery = try Self.keys(seed, 1_000_000)
        let random = (Dice.name(seed, 0xf00d) as EpochName).bytes
        let found = Statement(
            author: try founder.name(),
            generation: 0,
            entry: 1,
            action: .found(
                random: random,
                founder: founder,
                deviceName: "0",
                recovery: recovery
            ),
            encoded: [],
            digest: Dice.name(seed, 0xf00e)
        )
        try addDevice(founder, founding: found.digest)
        try begin(with: found, recovery: try recovery.name())
        let others = 1 + Int(seed % 4)
        for _ in 0..<others { try join(approvedBy: 0) }
    }

    static func keys(_ seed: UInt64, _ number: Int) throws -> PeerKeys {
        let half = (Dice.name(seed, UInt64(number), 0x6b) as SyncDigest).bytes
        guard let keys = PeerKeys(signing: [4] + half + half, agreement: [4] + half + half) else {
            throw Violation(.keys, "public keys have another size")
        }
        return keys
    }

    mutating func nextDigest<Name: SyncName>() -> Name {
        serial += 1
        return Dice.name(seed, serial, 0xd16e)
    }

    private mutating func addDevice(_ keys: PeerKeys, founding: SyncDigest) throws {
        let device = try Device(
            number: devices.count,
            keys: keys,
            founding: founding,
            itemCount: Self.itemCount,
            rules: rules
        )
        devices.append(device)
        relay.addPeer(device.peer)
        reference.addDevice()
        for number in devices.indices {
            devices[number].makeRoom(streamCount: devices.count)
        }
    }

    /// The founder's first two entries.
    private mutating func begin(with found: Statement, recovery: PeerName) throws {
        let peer = devices[0].peer
        let epoch: EpochName = nextDigest()
        let rotate = Statement(
            author: peer,
            generation: 1,
            entry: 1,
            action: .rotate(epoch, EpochReaders([peer, recovery], removed: [])),
            encoded: [],
            digest: nextDigest()
        )
        var segment = Segment<ChangeMark>()
        segment.statements = [found, rotate]
        _ = try devices[0].machine.handle(.received(epochs: [epoch], statements: []))
        try writeKeys([peer: [epoch], recovery: [epoch]], with: segment.statements, by: 0)
        try write(segment, under: epoch, by: 0)
        try record(0, crash: nil)
        try append(0, isComplete: true)
    }

    /// A new device asks, and this one approves.
    mutating func join(approvedBy number: Int) throws {
        guard devices.count < Self.peerCount, try canState(number) else { return }
        let keys = try Self.keys(seed, devices.count)
        let founding = devices[0].machine.memory.founding
        let name = "\(devices.count)"
        try addDevice(keys, founding: founding)
        try state(.add(keys, deviceName: name), by: number)
    }

    /// Whether a device can write a statement now.
    func canState(_ number: Int) throws -> Bool {
        let device = devices[number]
        guard let circle = device.machine.circle, circle.hasMember(device.peer) else {
            return false
        }
        return !device.isDestroyed && device.machine.segmentForStatement() != nil
    }

    /// Writes a statement that a person makes; by the recovery key if that is used.
    mutating func state(
        _ action: Statement.Action,
        by number: Int,
        withRecoveryKey: Bool = false
    ) throws {
        let machine = devices[number].machine
        guard let circle = machine.circle, let (empty, epoch) = machine.segmentForStatement()
        else { return }
        let statement = Statement(
            author: withRecoveryKey ? circle.recoveryName : devices[number].peer,
            generation: circle.nextGeneration,
            entry: withRecoveryKey ? 0 : machine.ownHead.entryCount,
            action: action,
            encoded: [],
            digest: nextDigest()
        )
        var segment = empty
        segment.statements.append(statement)
        try write(segment, under: epoch, by: number)
        try record(number, crash: nil)
    }
}
