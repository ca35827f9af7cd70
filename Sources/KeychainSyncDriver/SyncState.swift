import Cryptography
import KeychainMessages
import KeychainModel
import KeychainSync
import Secrets
import SyncRelay

// Definitions  "state": what the records say. "Turn": a random mark that changes with the records.
// Invariant    What is here is in the records, or in a transaction that is about to be made.

/// Everything that a device knows of its circle, as its keychain keeps it.
struct SyncState {
    let seal: RecordSeal
    var membership: Membership
    /// nil until the circle is known: a device that asked to join has none.
    var machine: SyncMachine?
    var statements: StatementReader
    var epochKeys: [EpochName: SharedSecret] = [:]
    var forms: [ItemName: TombstoneForm] = [:]
    /// Entries that the relay may not have yet, by their numbers.
    var outbox: [UInt64: [UInt8]] = [:]
    /// How the records were when they were read or written last.
    var turn: [UInt8] = []

    /// A state without a circle's memory.
    init(_ seal: RecordSeal, _ membership: Membership) {
        self.seal = seal
        self.membership = membership
        statements = StatementReader(membership.account)
    }

    /// What the records say; nil if the keychain is in no circle.
    ///
    /// - Throws: `errSecInteractionNotAllowed` while the keychain is locked; `damagedState`.
    init?(
        in keychain: SyncedKeychain,
        _ peer: PeerName?,
        _ random: any RandomSource
    ) throws(SyncFailure) {
        let records = try keychain.records([])
        guard let key = records.first(where: { $0.key == RecordSeal.keyRecord })?.value else {
            return nil
        }
        let seal = try RecordSeal.open(key, in: keychain.endpoint, random)
        let circle = MemoryRecords.Kind.membership.key()
        guard let record = records.first(where: { $0.key == circle }) else {
            throw .damagedState("the circle's record is missing")
        }
        self.init(seal, try Membership(try seal.open(record)))
        guard let peer else { throw .damagedState("the keys of this device are gone") }
        var memory = SyncMemory(of: peer, founding: membership.founding)
        var encodedStatements: [[UInt8]] = []
        for record in records {
            try read(record, into: &memory, &encodedStatements)
        }
        guard membership.phase != .requested else { return }
        let read = try fromFormat(try statements.readAll(encodedStatements))
        for statement in read { memory.statements[statement.digest] = statement }
        memory.epochs = Set(epochKeys.keys)
        machine = try fromCryptography(try SyncMachine(memory))
    }

    private mutating func read(
        _ record: SyncRecord,
        into memory: inout SyncMemory,
        _ encodedStatements: inout [[UInt8]]
    ) throws(SyncFailure) {
        guard record.key.count >= 2, record.key[1] == 0x2F,
            let kind = MemoryRecords.Kind(rawValue: record.key[0])
        else { return }
        let rest = Array(record.key.dropFirst(2))
        switch kind {
        case .membership: break
        case .turn: turn = record.value ?? []
        case .outbox:
            // Pieces follow each other in the order of their keys.
            let number = rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
            outbox[number, default: []] += record.value ?? []
        case .epoch:
            guard let epoch = EpochName(rest) else { throw .damagedState("an epoch has no name") }
            epochKeys[epoch] = SharedSecret(try seal.open(record))
        case .statement: encodedStatements.append(try seal.open(record).copyBytesUnprotected())
        case .version, .stream, .sentKeys, .own:
            let plaintext = try seal.open(record)
            do throws(SyncError) {
                try plaintext.withUnsafeBytes { bytes throws(SyncError) in
                    try readMemory(kind, rest, bytes, &memory)
                }
            } catch { throw .damagedState("a record is not what was written") }
        }
    }

    private mutating func readMemory(
        _ kind: MemoryRecords.Kind,
        _ rest: [UInt8],
        _ bytes: UnsafeRawBufferPointer,
        _ memory: inout SyncMemory
    ) throws(SyncError) {
        switch kind {
        case .version:
            let (known, form) = try MemoryRecords.version(bytes)
            memory.versions[known.mark.item] = known
            forms[known.mark.item] = form
        case .stream:
            guard let peer = PeerName(rest) else { throw .damaged("a stream has no name") }
            memory.streams[peer] = try MemoryRecords.stream(bytes)
        case .sentKeys:
            guard let peer = PeerName(rest) else { throw .damaged("a peer has no name") }
            memory.sentKeys[peer] = try MemoryRecords.epochs(bytes)
        case .own: memory.own = try MemoryRecords.own(bytes)
        case .membership, .statement, .epoch, .outbox, .turn: break
        }
    }
}

// What a transaction has to keep.
extension SyncState {
    static let outboxPieceByteCount = 1 << 19

    /// The records of what changed in the machine's memory.
    func records(of changes: MemoryChanges) throws(SyncFailure) -> [SyncRecord] {
        guard let memory = machine?.memory else { return [] }
        var records: [SyncRecord] = []
        for item in changes.versions.sorted() {
            let key = MemoryRecords.Kind.version.key(try seal.blinded(item.bytes))
            guard let known = memory.versions[item] else {
                records.append(SyncRecord(key: key, value: nil))
                continue
            }
            let plaintext = try fromFormat(try MemoryRecords.encode(known, forms[item]))
            records.append(try seal.seal(plaintext, as: key))
        }
        for peer in changes.streams.sorted() {
            guard let stream = memory.streams[peer] else { continue }
            let plaintext = try fromFormat(try MemoryRecords.encode(stream))
            records.append(
                try seal.seal(plaintext, as: MemoryRecords.Kind.stream.key(peer.bytes))
            )
        }
        for digest in changes.statements.sorted() {
            guard let statement = memory.statements[digest] else { continue }
            let key = MemoryRecords.Kind.statement.key(digest.bytes)
            records.append(try seal.seal(Secret(copying: statement.encoded), as: key))
        }
        for peer in changes.sentKeys.sorted() {
            let plaintext = MemoryRecords.encode(memory.sentKeys[peer] ?? [])
            records.append(
                try seal.seal(plaintext, as: MemoryRecords.Kind.sentKeys.key(peer.bytes))
            )
        }
        if changes.own {
            let plaintext = try fromFormat(try MemoryRecords.encode(memory.own))
            records.append(try seal.seal(plaintext, as: MemoryRecords.Kind.own.key()))
        }
        return try changes.epochs ? records + epochRecords() : records
    }

    private func epochRecords() throws(SyncFailure) -> [SyncRecord] {
        var records: [SyncRecord] = []
        for (epoch, key) in epochKeys {
            let name = MemoryRecords.Kind.epoch.key(epoch.bytes)
            records.append(try seal.seal(key.secret, as: name))
        }
        return records
    }

    func membershipRecord() throws(SyncFailure) -> SyncRecord {
        try seal.seal(try membership.encoded(), as: MemoryRecords.Kind.membership.key())
    }

    /// The records of an entry that the relay is to get; nil bytes remove them.
    static func outboxRecords(_ number: UInt64, _ bytes: [UInt8], isGone: Bool) -> [SyncRecord] {
        stride(from: 0, to: max(1, bytes.count), by: outboxPieceByteCount).enumerated().map {
            let piece = Array(bytes[$1..<min(bytes.count, $1 + outboxPieceByteCount)])
            let key = MemoryRecords.Kind.outbox.key(
                bigEndian(number) + bigEndian(UInt64($0)).suffix(4)
            )
            return SyncRecord(key: key, value: isGone ? nil : piece)
        }
    }

    private static func bigEndian(_ number: UInt64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt64($0)) }
    }
}
