import Cryptography
import KeychainMessages
import KeychainModel
import KeychainSync
import Secrets
import SyncRelay

// What this device tells the others: entries of its own stream.
//
// Source: Documentation/Spec/sync.md §3, §5.
extension SyncDevice {
    /// What an entry has beside its changes, at most: header, heads, statements and fill.
    private static let overheadByteCount = 1 << 17

    /// Writes what the machine plans, each entry in a transaction.
    mutating func write(
        _ report: inout SyncReport,
        entryByteCountLimit: Int
    ) throws(SyncFailure) {
        while true {
            let (state, machine, signer) = try member()
            guard let plan = machine.nextEntry() else { return }
            let writing = EntryWriting(state, machine, signer, self)
            guard try write(plan, writing, &report, entryByteCountLimit) else { return }
        }
    }

    private mutating func write(
        _ plan: EntryPlan,
        _ writing: consuming EntryWriting,
        _ report: inout SyncReport,
        _ limit: Int
    ) throws(SyncFailure) -> Bool {
        var writing = writing
        switch plan {
        case .keys(let owed): try writing.writeKeys(owed)
        case .epoch(let readers, let segment, let earlier):
            try writing.writeEpoch(readers, segment, under: earlier)
        case .segment(let marks, let epoch):
            let filled = try fill(marks, limit: limit - Self.overheadByteCount, &report)
            guard !filled.changes.isEmpty || marks.changes.isEmpty else { return false }
            try writing.writeSegment(filled, under: epoch)
            report.sentCount += filled.changes.count
        }
        return try commit(writing)
    }

    /// Records entries that were made, and what the machine learned from them.
    mutating func commit(
        _ writing: consuming EntryWriting,
        keeping further: [SyncRecord] = []
    ) throws(SyncFailure) -> Bool {
        let (next, changes, records) = try writing.finish()
        return try commit(next, [], changes, records + further)
    }

    /// Adds the content; leaves out what has changed meanwhile, and what is too large.
    private func fill(
        _ marks: Segment<ChangeMark>,
        limit: Int,
        _ report: inout SyncReport
    ) throws(SyncFailure) -> Segment<ItemChange> {
        var segment = Segment<ItemChange>()
        segment.isCheckpoint = marks.isCheckpoint
        segment.heads = marks.heads
        segment.statements = marks.statements
        let contents = try keychain.contents(of: marks.changes.map(\.item))
        let forms = state?.forms ?? [:]
        var byteCount = 0
        var tooLargeCount = 0
        for mark in marks.changes {
            guard let content = Self.content(mark, contents[mark.item], forms[mark.item]) else {
                continue
            }
            let added = content.attributes.count + (content.value?.secret.byteCount ?? 0) + 128
            guard added <= limit else {
                tooLargeCount += 1
                continue
            }
            let goal = min(limit, SignedEntry.contentByteCountGoal)
            if byteCount > 0, byteCount + added > goal { break }
            segment.changes.append(ItemChange(mark, content))
            byteCount += added
        }
        report.tooLargeCount = tooLargeCount
        return segment
    }

    /// The content of the version that a mark names; nil if the keychain has another by now.
    private static func content(
        _ mark: ChangeMark,
        _ item: SyncedItem?,
        _ form: TombstoneForm?
    ) -> ItemContent? {
        guard let item, item.digest == mark.version.digest.bytes else { return nil }
        return item.content
    }

    /// Begins again where the relay has other entries of this device's.
    ///
    /// Its keychain was put back to an earlier state, and went on from there. Those entries are
    /// read; what was to be told is told again.
    private mutating func withdraw(from number: UInt64) throws(SyncFailure) {
        guard var state, var machine = state.machine, let bytes = state.outbox[number] else {
            throw .damagedState("an entry is missing that the relay refused")
        }
        let peer = machine.memory.peer
        let entry = try fromFormat(
            try UnverifiedEntry(
                bytes,
                of: state.membership.account,
                at: EntryPlace(peer, number),
                after: nil
            )
        )
        let head = StreamHead(entryCount: number, digest: entry.header.previous)
        _ = try fromCryptography(try machine.handle(.withdrew(to: head)))
        let transaction = machine.takeTransaction()
        let gone = state.outbox.filter { $0.key >= number }
        let records = gone.flatMap { SyncState.outboxRecords($0.key, $0.value, isGone: true) }
        state.machine = machine
        state.outbox = state.outbox.filter { $0.key < number }
        _ = try commit(state, [], transaction.changes, records)
    }

    /// Gives the relay what it has not got yet.
    mutating func flush(to relay: some Relay) throws(SyncFailure) {
        guard var state, let signer, !state.outbox.isEmpty else { return }
        let peer = try fromFormat(try signer.name())
        let numbers = state.outbox.keys.sorted()
        var sent: [UInt64] = []
        for run in numbers.runs {
            let entries = run.compactMap { state.outbox[$0] }
            do throws(RelayError) {
                try relay.append(contentsOf: entries, to: peer, at: run.lowerBound)
            } catch {
                guard case .occupied(peer, let number) = error else { throw .relay(error) }
                return try withdraw(from: number)
            }
            sent += run
        }
        let records = sent.flatMap {
            SyncState.outboxRecords($0, state.outbox[$0] ?? [], isGone: true)
        }
        state.outbox = [:]
        _ = try commit(state, [], MemoryChanges(), records)
    }
}

extension [UInt64] {
    /// Ranges of numbers that follow each other.
    fileprivate var runs: [Range<UInt64>] {
        var runs: [Range<UInt64>] = []
        for number in self {
            if let last = runs.last, last.upperBound == number {
                runs[runs.count - 1] = last.lowerBound..<number + 1
            } else {
                runs.append(number..<number + 1)
            }
        }
        return runs
    }
}

/// Makes the next entries of this device's stream, all of which are recorded together.
struct EntryWriting {
    private var state: SyncState
    private(set) var machine: SyncMachine
    private let signer: ElementSigner
    private let device: SyncDevice
    private var entries: [SignedEntry] = []

    init(
        _ state: SyncState,
        _ machine: SyncMachine,
        _ signer: ElementSigner,
        _ device: SyncDevice
    ) {
        self.state = state
        self.machine = machine
        self.signer = signer
        self.device = device
    }

    private func header(
        _ kind: EntryHeader.Kind,
        epoch: EpochName = .zeros
    ) -> EntryHeader {
        let head = machine.ownHead
        return EntryHeader(
            kind,
            state.membership.account,
            EntryPlace(machine.memory.peer, head.entryCount),
            previous: head.digest,
            epoch: epoch
        )
    }

    /// Signs a statement that stands in the entry after `ahead` others, and tells the machine.
    mutating func say(
        _ action: Statement.Action,
        ahead: UInt64 = 0
    ) throws(SyncFailure) -> Statement {
        let statement = try fromFormat(
            try Statement(
                action,
                generation: machine.circle?.nextGeneration ?? 0,
                entry: machine.ownHead.entryCount + ahead,
                in: state.membership.account,
                by: signer
            )
        )
        try learn([], [statement])
        return statement
    }

    /// Tells the machine of epochs and statements.
    mutating func learn(
        _ epochs: [EpochName],
        _ statements: [Statement]
    ) throws(SyncFailure) {
        _ = try fromFormat(try state.statements.readAll(statements.map(\.encoded)))
        _ = try fromCryptography(
            try machine.handle(.received(epochs: epochs, statements: statements))
        )
    }

    /// Tells the machine of the request with which this device's stream begins.
    mutating func noteRequest(_ digest: SyncDigest) throws(SyncFailure) {
        let place = EntryPlace(machine.memory.peer, 0)
        _ = try fromCryptography(try machine.handle(.wroteOther(place, digest)))
    }

    /// A segment that has no changes, for what was said.
    mutating func writeStatements() throws(SyncFailure) {
        guard let (segment, epoch) = machine.segmentForStatement() else { throw .notJoined }
        try writeSegment(segment.withoutChanges, under: epoch)
    }

    mutating func writeSegment(
        _ segment: Segment<ItemChange>,
        under epoch: EpochName
    ) throws(SyncFailure) {
        guard let key = state.epochKeys[epoch] else { throw .format(.noKey) }
        let nonce = try device.randomBytes(AESGCM.nonceByteCount)
        let entry = try fromFormat(
            try SignedEntry(
                segment,
                header(.segment, epoch: epoch),
                under: key.secret,
                nonce: nonce,
                by: signer
            )
        )
        try wrote(.wrote(entry.header.place, entry.digest, segment.marks), entry)
    }

    /// Boxes with the epochs that peers lack; one entry for each set of epochs.
    mutating func writeKeys(_ owed: [PeerName: Set<EpochName>]) throws(SyncFailure) {
        let groups = Dictionary(grouping: owed.keys.sorted()) { owed[$0] ?? [] }
        for (epochs, peers) in groups.sorted(by: { $0.value[0] < $1.value[0] }) {
            try writeKeys(epochs, to: peers)
        }
    }

    private mutating func writeKeys(
        _ epochs: Set<EpochName>,
        to peers: [PeerName]
    ) throws(SyncFailure) {
        var gift = KeyGift()
        for epoch in epochs { gift.epochs[epoch] = state.epochKeys[epoch] }
        gift.statements = machine.memory.statements.values.sorted {
            ($0.generation, $0.digest) < ($1.generation, $1.digest)
        }
        let readers = peers.compactMap { machine.agreementKey(of: $0) }
        let entry = try fromFormat(try SignedEntry(gift, for: readers, header(.keys), by: signer))
        let given = Dictionary(uniqueKeysWithValues: peers.map { ($0, epochs) })
        try wrote(.wroteKeys(entry.header.place, entry.digest, given), entry)
    }

    /// A new epoch: boxes for its recipients, then the segment that tells of it.
    mutating func writeEpoch(
        _ readers: EpochReaders,
        _ segment: Segment<ChangeMark>,
        under earlier: EpochName
    ) throws(SyncFailure) {
        let key = try fromCryptography(try device.random.secret(AESGCM.keyByteCount))
        let epoch = try fromCryptography(try EpochName(of: key))
        state.epochKeys[epoch] = SharedSecret(key)
        let statement = try say(.rotate(epoch, readers), ahead: 1)
        try learn([epoch], [])
        let others = readers.recipients.filter { $0 != machine.memory.peer }
        try writeKeys([epoch], to: others)
        var segment = segment.withoutChanges
        segment.statements.append(statement)
        try writeSegment(segment, under: earlier)
    }

    private mutating func wrote(
        _ event: SyncEvent,
        _ entry: SignedEntry
    ) throws(SyncFailure) {
        _ = try fromCryptography(try machine.handle(event))
        entries.append(entry)
    }

    /// The state with the entries, and what has to be recorded of it.
    consuming func finish() throws(SyncFailure) -> (SyncState, MemoryChanges, [SyncRecord]) {
        var machine = machine
        let transaction = machine.takeTransaction()
        var state = state
        state.machine = machine
        var records: [SyncRecord] = []
        for entry in entries {
            let number = entry.header.number
            state.outbox[number] = entry.bytes
            records += SyncState.outboxRecords(number, entry.bytes, isGone: false)
        }
        return (state, transaction.changes, records)
    }
}

extension Segment<ChangeMark> {
    /// The same for a segment that only tells of statements.
    fileprivate var withoutChanges: Segment<ItemChange> {
        var segment = Segment<ItemChange>()
        segment.isCheckpoint = isCheckpoint
        segment.heads = heads
        segment.statements = statements
        return segment
    }
}

extension SyncMachine {
    /// The key for which a box is sealed.
    fileprivate func agreementKey(of peer: PeerName) -> [UInt8]? {
        if peer == circle?.recoveryName { return circle?.recovery.agreement }
        return circle?.peers[peer]?.keys.agreement
    }
}
