import Cryptography
import KeychainMessages
import KeychainModel
import KeychainSync
import Secrets
import SyncRelay

// Definitions  "state": the content of the records. "Turn": a random mark that every write of the
//              records changes.
// Invariant    Everything here that has to survive the process is in the records, or in the next
//              transaction.

/// A device's knowledge of its circle, read from the records in its keychain.
struct SyncState {
    let seal: RecordSeal
    var membership: Membership
    /// The state of merging, with an empty chain until the device has read links of the circle.
    var machine: SyncMachine
    /// The keys that this device has of those in force along the chain, by name.
    var keys: [SealName: SharedSecret] = [:]
    /// The names of those keys that have no record yet.
    var newKeys: Set<SealName> = []
    /// The sealed bytes of each link, as the relay stores them.
    var linkBytes: [SyncDigest: [UInt8]] = [:]
    /// The links that have a record.
    var recordedLinks: Set<SyncDigest> = []
    /// The places of each link on the relay; a link with several encodings has several.
    var linkPlaces: [SyncDigest: Set<LinkPlace>] = [:]
    /// The places that are not fetched again, including places without a valid link.
    var seenLinks: Set<LinkPlace> = []
    /// Places that the relay listed, but for which it returned no link.
    var linkRetries = Retries<LinkPlace>()
    /// Boxes that the relay did not return, or that did not open.
    var boxRetries = Retries<LinkPlace>()
    /// Keys that this keeper has to give to the others in its next link.
    var lostKeys: [SealName: SharedSecret] = [:]
    /// The end of the chain for which `lostKeys` was computed.
    var lostHead: SyncDigest?
    /// The places of links in the relay's latest listing.
    var listedLinks: [LinkPlace] = []
    /// The boxes of this device's links that the relay may not have yet.
    var linkOutbox: [SyncDigest: [UInt8]] = [:]
    /// Entries that wait.
    ///
    /// Until the stream, the chain or the keys change, this device fetches them less and less
    /// often.
    var entryRetries = Retries<StreamRead>()
    /// The end of the chain and the number of keys for which `entryRetries` holds.
    var entryRetriesHead: SyncDigest?
    var entryRetriesKeyCount = 0
    /// The entries that the last pass did not accept, each with the reason.
    var faults: [EntryPlace: EntryFault] = [:]
    var forms: [ItemName: TombstoneForm] = [:]
    /// Entries that the relay may not have yet, by number.
    var outbox: [UInt64: [UInt8]] = [:]
    /// The turn at the time when the records were last read or written.
    var turn: [UInt8] = []

    /// Makes the state of a device that has read nothing of the circle.
    init(_ seal: RecordSeal, _ membership: Membership, _ rules: MergeRules) {
        self.seal = seal
        self.membership = membership
        machine = SyncMachine(
            SyncMemory(of: membership.stream),
            CircleChain(membership.code, rules: rules.circle),
            rules: rules
        )
    }

    /// Reads the state from the keychain's records; nil if the keychain is in no circle.
    ///
    /// - Throws: `errSecInteractionNotAllowed` while the keychain is locked; `damagedState` if a
    ///   record is missing or damaged, or if `hasKeys` is false.
    init?(
        in keychain: any SyncedKeychain,
        hasKeys: Bool,
        _ random: any RandomSource,
        _ rules: MergeRules
    ) throws(SyncFailure) {
        let records = try keychain.records([])
        guard let key = records.first(where: { $0.key == RecordSeal.keyRecord })?.value else {
            return nil
        }
        let seal = try keychain.openSeal(key, random)
        let circle = MemoryRecords.Kind.membership.key()
        guard let record = records.first(where: { $0.key == circle }) else {
            throw .damagedState("the circle's record is missing")
        }
        self.init(seal, try Membership(try seal.open(record)), rules)
        guard hasKeys else { throw .damagedState("the keys of this device are gone") }
        var memory = SyncMemory(of: membership.stream)
        for record in records { try read(record, into: &memory) }
        memory.keys = Set(keys.keys)
        var links: [Link] = []
        for (digest, bytes) in linkBytes {
            let link = try fromFormat(try LinkFormat.open(bytes, membership.code))
            guard link.digest == digest else { throw .damagedState("a link is another one") }
            links.append(link)
            linkPlaces[digest] = [try self.place(of: link, bytes)]
            recordedLinks.insert(digest)
        }
        seenLinks = linkPlaces.values.reduce(into: []) { $0.formUnion($1) }
        var chain = CircleChain(membership.code, rules: rules.circle)
        try fromFormat(try chain.add(links, trusted: true))
        machine = SyncMachine(memory, chain, rules: rules)
    }

    private mutating func read(
        _ record: SyncRecord,
        into memory: inout SyncMemory
    ) throws(SyncFailure) {
        guard record.key.count >= 2, record.key[1] == 0x2F,
            let kind = MemoryRecords.Kind(rawValue: record.key[0])
        else { return }
        let rest = Array(record.key.dropFirst(2))
        switch kind {
        case .membership: break
        case .turn: turn = record.value ?? []
        case .outbox:
            // Records come in the order of their keys, so the pieces of an entry are in order.
            let number = rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
            outbox[number, default: []] += record.value ?? []
        case .key:
            guard let name = SealName(rest) else { throw .damagedState("a key has no name") }
            keys[name] = SharedSecret(try seal.open(record))
        case .link:
            guard let digest = SyncDigest(rest) else { throw .damagedState("a link has no name") }
            linkBytes[digest] = record.value ?? []
        case .linkOutbox:
            guard let digest = SyncDigest(Array(rest.prefix(SyncDigest.byteCount))) else {
                throw .damagedState("boxes have no name")
            }
            linkOutbox[digest, default: []] += record.value ?? []
        case .version, .stream, .faults, .own:
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
            guard let name = StreamName(rest) else { throw .damaged("a stream has no name") }
            memory.streams[name] = try MemoryRecords.stream(bytes)
        case .faults: faults = try MemoryRecords.faults(bytes)
        case .own: memory.own = try MemoryRecords.own(bytes)
        case .membership, .link, .linkOutbox, .key, .outbox, .turn: break
        }
    }
}

// The records of the next transaction.
extension SyncState {
    static let outboxPieceByteCount = 1 << 19

    /// Returns the records of everything that changed in the machine's memory.
    func records(of changes: MemoryChanges) throws(SyncFailure) -> [SyncRecord] {
        let memory = machine.memory
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
        for name in changes.streams.sorted() {
            let key = MemoryRecords.Kind.stream.key(name.bytes)
            guard let stream = memory.streams[name] else {
                records.append(SyncRecord(key: key, value: nil))
                continue
            }
            let plaintext = try fromFormat(try MemoryRecords.encode(stream))
            records.append(try seal.seal(plaintext, as: key))
        }
        if changes.own {
            let plaintext = try fromFormat(try MemoryRecords.encode(memory.own))
            records.append(try seal.seal(plaintext, as: MemoryRecords.Kind.own.key()))
        }
        return records
    }

    /// Returns the changes of the machine's memory since the last call; for transactions without
    /// items.
    mutating func takeChanges() -> MemoryChanges { machine.takeTransaction().changes }

    func faultRecord() throws(SyncFailure) -> SyncRecord {
        let plaintext = try fromFormat(try MemoryRecords.encode(faults))
        return try seal.seal(plaintext, as: MemoryRecords.Kind.faults.key())
    }

    func membershipRecord() throws(SyncFailure) -> SyncRecord {
        try seal.seal(try membership.encoded(), as: MemoryRecords.Kind.membership.key())
    }

    /// Returns the records of an entry for the relay; with `isGone`, records that remove them.
    static func outboxRecords(_ number: UInt64, _ bytes: [UInt8], isGone: Bool) -> [SyncRecord] {
        pieces(of: bytes, .outbox, bigEndian(number), isGone: isGone)
    }

    /// Splits bytes into records that are small enough for a request, in the order of their keys.
    static func pieces(
        of bytes: [UInt8],
        _ kind: MemoryRecords.Kind,
        _ name: [UInt8],
        isGone: Bool
    ) -> [SyncRecord] {
        stride(from: 0, to: max(1, bytes.count), by: outboxPieceByteCount).enumerated().map {
            let piece = Array(bytes[$1..<min(bytes.count, $1 + outboxPieceByteCount)])
            let key = kind.key(name + bigEndian(UInt64($0)).suffix(4))
            return SyncRecord(key: key, value: isGone ? nil : piece)
        }
    }

    private static func bigEndian(_ number: UInt64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt64($0)) }
    }
}
