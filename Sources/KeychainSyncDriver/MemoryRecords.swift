import KeychainMessages
import KeychainSync
import Secrets

/// The keys and the bytes of the records that keep a machine's memory.
///
/// - Source: Documentation/Spec/sync.md §8.
enum MemoryRecords {
    /// ★ Table: the first byte of a record's key.
    enum Kind: UInt8, CaseIterable {
        case membership = 0x6D  // m
        case version = 0x76  // v
        case stream = 0x68  // h
        case link = 0x6C  // l
        case linkOutbox = 0x62  // b
        case key = 0x6B  // k
        case faults = 0x66  // f
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
            writer.append(source.stream)
            writer.append(source.number)
            writer.append(known.link)
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
        var source: (place: EntryPlace, link: SyncDigest)?
        if try reader.flag() {
            let stream = try reader.name(StreamName.self)
            let place = EntryPlace(stream, try reader.integer(UInt64.self))
            source = (place, try reader.name(SyncDigest.self))
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
        guard let source else { return (KnownVersion(mark, isHeld: isHeld), form) }
        let (place, link) = source
        return (KnownVersion(mark, from: place, link: link, isHeld: isHeld), form)
    }

    // Streams.

    static func encode(_ stream: StreamMemory) throws(SyncError) -> Secret {
        var writer = FieldWriter()
        writer.append(stream.head)
        writer.append(stream.stand)
        writer.append(UInt32(clamping: stream.skipped.count))
        for (link, head) in stream.skipped.sorted(by: { $0.key < $1.key }) {
            writer.append(link)
            writer.append(head)
        }
        writer.append(list: stream.recent)
        writer.append(UInt32(clamping: stream.claims.count))
        for (author, head) in stream.claims.sorted(by: { $0.key < $1.key }) {
            writer.append(author)
            writer.append(head)
        }
        writer.append(list: stream.forkedBy.sorted())
        return writer.secret(filledTo: 0)
    }

    static func stream(_ bytes: UnsafeRawBufferPointer) throws(SyncError) -> StreamMemory {
        var reader = FieldReader(bytes[...], of: "a stream's record")
        var stream = StreamMemory()
        stream.head = try reader.head()
        stream.stand = try reader.name(SyncDigest.self)
        for _ in 0..<(try reader.integer(UInt32.self)) {
            let link = try reader.name(SyncDigest.self)
            stream.skipped[link] = try reader.head()
        }
        stream.recent = try reader.list(SyncDigest.self)
        for _ in 0..<(try reader.integer(UInt32.self)) {
            let author = try reader.name(KeyName.self)
            stream.claims[author] = try reader.head()
        }
        stream.forkedBy = Set(try reader.list(KeyName.self))
        try reader.finish()
        return stream
    }

    // The device's own stream.

    static func encode(_ own: OwnStream) throws(SyncError) -> Secret {
        var writer = FieldWriter()
        writer.append(own.publishedCount)
        writer.append(UInt64(clamping: own.segmentCount))
        writer.append(UInt64(clamping: own.changeCount))
        writer.append(own.checkpoint != nil)
        if let checkpoint = own.checkpoint { writer.append(checkpoint) }
        writer.append(own.isCheckpointComplete)
        writer.append(own.checkpointLink)
        writer.append(own.owesCheckpoint)
        writer.append(list: own.untoldHeads.sorted())
        writer.append(list: own.said)
        writer.append(list: own.leaving.sorted())
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
        own.checkpointLink = try reader.name(SyncDigest.self)
        own.owesCheckpoint = try reader.flag()
        own.untoldHeads = Set(try reader.list(StreamName.self))
        own.said = try reader.list(SyncDigest.self)
        own.leaving = Set(try reader.list(KeyName.self))
        try reader.finish()
        return own
    }

    // The entries that the last pass did not accept.

    /// The most faults that the record keeps.
    private static let faultCountLimit = 256

    static func encode(_ faults: [EntryPlace: EntryFault]) throws(SyncError) -> Secret {
        var writer = FieldWriter()
        let kept = faults.sorted {
            ($0.key.stream, $0.key.number) < ($1.key.stream, $1.key.number)
        }.prefix(faultCountLimit)
        for (place, fault) in kept {
            writer.append(place.stream)
            writer.append(place.number)
            let (code, bytes) = parts(of: fault)
            writer.append(code)
            try writer.append(bytes, countedBy: UInt16.self)
        }
        return writer.secret(filledTo: 0)
    }

    private static func parts(of fault: EntryFault) -> (UInt8, [UInt8]) {
        switch fault {
        case .unknownLink(let link): (1, link.bytes)
        case .linkNotChosen(let link): (2, link.bytes)
        case .keyMissing(let name): (3, name.bytes)
        case .aheadOfClock: (4, [])
        case .incomplete: (5, [])
        case .wrongSignature: (6, [])
        case .damaged(let reason): (7, Array(reason.utf8.prefix(1024)))
        }
    }

    static func faults(
        _ bytes: UnsafeRawBufferPointer
    ) throws(SyncError) -> [EntryPlace: EntryFault] {
        var reader = FieldReader(bytes[...], of: "a record of faults")
        var faults: [EntryPlace: EntryFault] = [:]
        while !reader.rest.isEmpty {
            let stream = try reader.name(StreamName.self)
            let place = EntryPlace(stream, try reader.integer(UInt64.self))
            let code = try reader.integer(UInt8.self)
            let rest = Array(try reader.counted(UInt16.self))
            switch (code, SyncDigest(rest), SealName(rest)) {
            case (1, let link?, _): faults[place] = .unknownLink(link)
            case (2, let link?, _): faults[place] = .linkNotChosen(link)
            case (3, _, let name?): faults[place] = .keyMissing(name)
            case (4, _, _): faults[place] = .aheadOfClock
            case (5, _, _): faults[place] = .incomplete
            case (6, _, _): faults[place] = .wrongSignature
            case (7, _, _): faults[place] = .damaged(String(decoding: rest, as: UTF8.self))
            default: throw reader.damaged("a fault is unknown")
            }
        }
        return faults
    }
}

extension FieldWriter {
    fileprivate mutating func append(_ head: StreamHead) {
        append(head.entryCount)
        append(head.digest)
    }

    fileprivate mutating func append(list names: [some SyncName]) {
        append(UInt32(clamping: names.count))
        for name in names { append(name) }
    }
}

extension FieldReader {
    fileprivate mutating func head() throws(SyncError) -> StreamHead {
        let count = try integer(UInt64.self)
        return StreamHead(entryCount: count, digest: try name(SyncDigest.self))
    }

    fileprivate mutating func list<N: SyncName>(_ type: N.Type) throws(SyncError) -> [N] {
        var names: [N] = []
        for _ in 0..<(try integer(UInt32.self)) { names.append(try name(type)) }
        return names
    }
}
