import KeychainSync

/// What a model keychain contains of one item.
struct Content: Equatable {
    let digest: SyncDigest
    let isTombstone: Bool
    /// Milliseconds since 1970, as this device's clock says.
    let modified: Int64
}

/// A device: a keychain that is a table, a machine, and what it stored of both.
struct Device {
    /// Where a device stops; what it stored stays.
    enum Crash: Int, CaseIterable {
        case beforeApply, afterApply, beforeRecord, beforeAppend, afterAppend
    }

    let number: Int
    let peer: PeerName
    let keys: PeerKeys
    let rules: Rules
    /// By the number of the item; nil if it is not there.
    var keychain: [Content?]
    var machine: SyncMachine
    /// What was stored.
    private(set) var durable: SyncMemory
    /// Entries that were recorded, and that the relay may not have.
    var pending: [(number: Int, entry: Entry)] = []
    /// How many entries of each stream were searched for boxes.
    private(set) var searched: [Int] = []
    private var durablySearched: [Int] = []

    /// What is added to the time.
    var clockOffset: Int64 = 0
    var isOffline = false
    /// Offline at least until this step.
    var awayUntil = 0
    /// It never does anything again.
    var isDestroyed = false
    var wasToldOfRemoval = false

    init(
        number: Int,
        keys: PeerKeys,
        founding: SyncDigest,
        itemCount: Int,
        rules: Rules
    ) throws {
        self.number = number
        self.keys = keys
        self.rules = rules
        peer = try keys.name()
        keychain = [Content?](repeating: nil, count: itemCount)
        durable = SyncMemory(of: peer, founding: founding)
        machine = try SyncMachine(durable, rules: rules.merge, checkpointSegmentCount: 8)
    }

    /// Notes how far a stream was searched for boxes.
    mutating func noteSearched(_ stream: Int, to end: Int) { searched[stream] = end }

    /// Makes room for as many streams.
    mutating func makeRoom(streamCount: Int) {
        let missing = [Int](repeating: 0, count: streamCount - searched.count)
        searched += missing
        durablySearched += missing
    }

    /// Stores what one transaction has to.
    mutating func store(_ changes: MemoryChanges) {
        let memory = machine.memory
        for item in changes.versions { durable.versions[item] = memory.versions[item] }
        for peer in changes.streams { durable.streams[peer] = memory.streams[peer] }
        for digest in changes.statements { durable.statements[digest] = memory.statements[digest] }
        for peer in changes.sentKeys { durable.sentKeys[peer] = memory.sentKeys[peer] }
        if changes.epochs { durable.epochs = memory.epochs }
        if changes.own { durable.own = memory.own }
        durablySearched = searched
    }

    /// Stops, and begins again with what was stored.
    mutating func restart() throws {
        machine = try SyncMachine(durable, rules: rules.merge, checkpointSegmentCount: 8)
        searched = durablySearched
    }

    /// How many entries of its own stream were recorded.
    var durableHead: StreamHead { durable.streams[peer]?.head ?? .none }

    /// Whether everything that the machine knows was stored.
    var storedEverything: Bool { durable == machine.memory }
}
