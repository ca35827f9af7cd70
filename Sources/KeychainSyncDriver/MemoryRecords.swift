import KeychainMessages
import KeychainSync
import Secrets

/// The records of a machine's memory: which part is kept under which key, in which bytes.
///
/// - Source: Documentation/Spec/sync.md §8.
enum MemoryRecords {
    /// ★ Table: the first byte of a record's key.
    enum Kind: UInt8, CaseIterable {
        case membership = 0x6D  // m
        case version = 0x76  // v
        case stream = 0x68  // h
        case statement = 0x73  // s
        case sentKeys = 0x6B  // k
        case epoch = 0x65  // e
        case own = 0x6F  // o
        case outbox = 0x78  // x
        case turn = 0x74  // t

        func key(_ rest: [UInt8] = []) -> [UInt8] { [rawValue, 0x2F] + rest }
    }

    // Versions.

    static func encode(_ known: KnownVersion, _ form: TombstoneForm?) throws(SyncError) -> Secret {
        var writer = FieldWriter()
        writer.append(known.mark.item)
        writer.append(known.mark.version.stamp.milliseconds)
        writer.append(known.mark.version.stamp.counter)
        writer.append(known.mark.version.digest)
        writer.append(known.mark.isTombstone)
        writer.append(known.isHeld)
        writer.append(known.source != nil)
        if let source = known.source {
            writer.append(source.peer)
            writer.append(source.number)
        }
        writer.append(form != nil)
        if let form {
            writer.append(form.classLetters.utf8)
            writer.append(form.protection)
            try writer.append(form.attributes, countedBy: UInt32.self)
        }
        return writer.secret(filledTo: 0)
    }

    static func version(
        _ bytes: UnsafeRawBufferPointer
    ) throws(SyncError) -> (KnownVersion, TombstoneForm?) {
        var reader = FieldReader(bytes[...], of: "a version's record")
        let item = try reader.name(ItemName.self)
        let milliseconds = try reader.integer(UInt64.self)
        let counter = try reader.integer(UInt32.self)
        guard let stamp = Stamp(milliseconds: milliseconds, counter: counter) else {
            throw reader.damaged("its stamp is none")
        }
        let digest = try reader.name(SyncDigest.self)
        let isTombstone = try reader.flag()
        let isHeld = try reader.flag()
        var source: EntryPlace?
        if try reader.flag() {
            let peer = try reader.name(PeerName.self)
            source = EntryPlace(peer, try reader.integer(UInt64.self))
        }
        var form: TombstoneForm?
        if try reader.flag() {
            let letters = String(decoding: try reader.slice(4), as: UTF8.self)
            let protection = try reader.integer(UInt8.self)
            form = TombstoneForm(
                classLetters: letters,
                protection: protection,
                attributes: Array(try reader.counted(UInt32.self))
            )
        }
        try reader.finish()
        let mark = ChangeMark(
            item: item,
            version: ItemVersion(stamp, digest),
            isTombstone: isTombstone
        )
        return (KnownVersion(mark, source: source, isHeld: isHeld), form)
    }

    // Streams.

    static func encode(_ stream: StreamMemory) throws(SyncError) -> Secret {
        var writer = FieldWriter()
        writer.append(stream.head)
        writer.append(stream.taken != nil)
        if let taken = stream.taken { writer.append(taken) }
        writer.append(stream.isForked)
        writer.append(UInt32(clamping: stream.recent.count))
        for digest in stream.recent { writer.append(digest) }
        writer.append(UInt32(clamping: stream.claims.count))
        for (count, digest) in stream.claims.sorted(by: { $0.key < $1.key }) {
            writer.append(count)
            writer.append(digest)
        }
        return writer.secret(filledTo: 0)
    }

    static func stream(_ bytes: UnsafeRawBufferPointer) throws(SyncError) -> StreamMemory {
        var reader = FieldReader(bytes[...], of: "a stream's record")
        var stream = StreamMemory()
        stream.head = try reader.head()
        if try reader.flag() { stream.taken = try reader.head() }
        stream.isForked = try reader.flag()
        for _ in 0..<(try reader.integer(UInt32.self)) {
            stream.recent.append(try reader.name(SyncDigest.self))
        }
        for _ in 0..<(try reader.integer(UInt32.self)) {
            let count = try reader.integer(UInt64.self)
            stream.claims[count] = try reader.name(SyncDigest.self)
        }
        try reader.finish()
        return stream
    }

    // The peer's own stream.

    static func encode(_ own: OwnStream) throws(SyncError) -> Secret {
        var writer = FieldWriter()
        writer.append(own.publishedCount)
        writer.append(UInt64(clamping: own.segmentCount))
        writer.append(UInt64(clamping: own.changeCount))
        writer.append(own.checkpoint != nil)
        if let checkpoint = own.checkpoint { writer.append(checkpoint) }
        writer.append(own.isCheckpointComplete)
        writer.append(UInt32(clamping: own.told.count))
        for digest in own.told.sorted() { writer.append(digest) }
        writer.append(UInt32(clamping: own.farewells.count))
        for (peer, uncounted) in own.farewells.sorted(by: { $0.key < $1.key }) {
            writer.append(peer)
            writer.append(UInt32(clamping: uncounted.count))
            for digest in uncounted.sorted() { writer.append(digest) }
        }
        return writer.secret(filledTo: 0)
    }

    static func own(_ bytes: UnsafeRawBufferPointer) throws(SyncError) -> OwnStream {
        var reader = FieldReader(bytes[...], of: "the own stream's record")
        var own = OwnStream()
        own.publishedCount = try reader.integer(UInt64.self)
        own.segmentCount = Int(clamping: try reader.integer(UInt64.self))
        own.changeCount = Int(clamping: try reader.integer(UInt64.self))
        if try reader.flag() { own.checkpoint = try reader.integer(UInt64.self) }
        own.isCheckpointComplete = try reader.flag()
        for _ in 0..<(try reader.integer(UInt32.self)) {
            own.told.insert(try reader.name(SyncDigest.self))
        }
        // Earlier versions forgot these.
        guard !reader.rest.isEmpty else { return own }
        for _ in 0..<(try reader.integer(UInt32.self)) {
            let peer = try reader.name(PeerName.self)
            var uncounted: Set<SyncDigest> = []
            for _ in 0..<(try reader.integer(UInt32.self)) {
                uncounted.insert(try reader.name(SyncDigest.self))
            }
            own.farewells[peer] = uncounted
        }
        try reader.finish()
        return own
    }

    // Which epochs were sent.

    static func encode(_ epochs: Set<EpochName>) -> Secret {
        var writer = FieldWriter()
        for epoch in epochs.sorted() { writer.append(epoch) }
        return writer.secret(filledTo: 0)
    }

    static func epochs(_ bytes: UnsafeRawBufferPointer) throws(SyncError) -> Set<EpochName> {
        var reader = FieldReader(bytes[...], of: "a record of sent keys")
        var epochs: Set<EpochName> = []
        while !reader.rest.isEmpty { epochs.insert(try reader.name(EpochName.self)) }
        return epochs
    }
}

extension FieldWriter {
    fileprivate mutating func append(_ head: StreamHead) {
        append(head.entryCount)
        append(head.digest)
    }
}

extension FieldReader {
    fileprivate mutating func head() throws(SyncError) -> StreamHead {
        let count = try integer(UInt64.self)
        return StreamHead(entryCount: count, digest: try name(SyncDigest.self))
    }
}
