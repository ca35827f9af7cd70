import KeychainMessages
import KeychainModel

extension SynchronizationRequest: WireValue {
    private enum Kind: UInt8, WireKind {
        case mark = 1
        case read = 2
        case contents = 3
        case verify = 4
        case apply = 5
        case records = 6
        case forget = 7

        static var meaning: String { "request about synchronization" }
    }

    func write(to buffer: inout WireBuffer) {
        switch self {
        case .mark: buffer.put(kind: Kind.mark)
        case .read(let cursor, let withContent):
            buffer.put(kind: Kind.read)
            buffer.put(optional: cursor)
            buffer.put(withContent)
        case .contents(let names):
            buffer.put(kind: Kind.contents)
            buffer.put(list: names, SyncLimit.itemCount)
        case .verify(let items):
            buffer.put(kind: Kind.verify)
            buffer.put(list: items, SyncLimit.itemCount)
        case .apply(let items, let records):
            buffer.put(kind: Kind.apply)
            buffer.put(list: items, SyncLimit.itemCount)
            buffer.put(list: records, SyncLimit.recordCount)
        case .records(let prefix, let key):
            buffer.put(kind: Kind.records)
            buffer.put(prefix)
            buffer.put(optional: key)
        case .forget: buffer.put(kind: Kind.forget)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.kind(Kind.self) {
        case .mark: self = .mark
        case .read:
            self = .read(after: try reader.takeOptional(), withContent: try reader.take())
        case .contents: self = .contents(try reader.takeList(SyncLimit.itemCount))
        case .verify: self = .verify(try reader.takeList(SyncLimit.itemCount))
        case .apply:
            self = .apply(
                try reader.takeList(SyncLimit.itemCount),
                keeping: try reader.takeList(SyncLimit.recordCount)
            )
        case .records:
            self = .records(prefix: try reader.take(), after: try reader.takeOptional())
        case .forget: self = .forget
        }
    }
}

extension SynchronizationReply: WireValue {
    private enum Kind: UInt8, WireKind {
        case mark = 1
        case portion = 2
        case contents = 3
        case applied = 4
        case conflict = 5
        case records = 6
        case done = 7

        static var meaning: String { "reply about synchronization" }
    }

    func write(to buffer: inout WireBuffer) {
        switch self {
        case .mark(let mark):
            buffer.put(kind: Kind.mark)
            buffer.put(mark)
        case .portion(let portion):
            buffer.put(kind: Kind.portion)
            buffer.put(portion)
        case .contents(let items, let rest):
            buffer.put(kind: Kind.contents)
            buffer.put(list: items, SyncLimit.itemCount)
            buffer.put(list: rest, SyncLimit.itemCount)
        case .applied(let outcome):
            buffer.put(kind: Kind.applied)
            buffer.put(outcome)
        case .conflict(let names):
            buffer.put(kind: Kind.conflict)
            buffer.put(list: names, SyncLimit.itemCount)
        case .records(let records, let isLast):
            buffer.put(kind: Kind.records)
            buffer.put(list: records, SyncLimit.recordCount)
            buffer.put(isLast)
        case .done: buffer.put(kind: Kind.done)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.kind(Kind.self) {
        case .mark: self = .mark(try reader.integer())
        case .portion: self = .portion(try reader.take())
        case .contents:
            self = .contents(
                try reader.takeList(SyncLimit.itemCount),
                rest: try reader.takeList(SyncLimit.itemCount)
            )
        case .applied: self = .applied(try reader.take())
        case .conflict: self = .conflict(try reader.takeList(SyncLimit.itemCount))
        case .records:
            self = .records(
                try reader.takeList(SyncLimit.recordCount),
                isLast: try reader.take()
            )
        case .done: self = .done
        }
    }
}

extension SyncCursor: WireValue {
    static var leastByteCount: Int { 9 }

    func write(to buffer: inout WireBuffer) {
        buffer.put(itemClass)
        buffer.put(row)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(try reader.take(), row: try reader.integer())
    }
}

extension SyncPortion: WireValue {
    func write(to buffer: inout WireBuffer) {
        buffer.put(list: items, SyncLimit.itemCount)
        buffer.put(optional: next)
        buffer.put(count: damagedCount)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init()
        items = try reader.takeList(SyncLimit.itemCount)
        next = try reader.takeOptional()
        damagedCount = try reader.count()
    }
}

extension SyncOutcome: WireValue {
    func write(to buffer: inout WireBuffer) {
        buffer.put(count: appliedCount)
        buffer.put(list: ignored, SyncLimit.itemCount)
        buffer.put(markBefore)
        buffer.put(mark)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init()
        appliedCount = try reader.count()
        ignored = try reader.takeList(SyncLimit.itemCount)
        markBefore = try reader.integer()
        mark = try reader.integer()
    }
}

extension SyncedItem: WireValue {
    /// Two digests with their sizes, the date, the attributes' size, and a byte for the rest each.
    static var leastByteCount: Int { 4 + 4 + 1 + 1 + 1 + 8 + 4 + 1 + 1 }

    func write(to buffer: inout WireBuffer) {
        buffer.put(name)
        buffer.put(digest)
        buffer.put(itemClass)
        buffer.put(protection)
        buffer.put(isTombstone)
        buffer.put(modified)
        buffer.put(attributes)
        buffer.put(optionalSecret: value)
        buffer.put(optional: replaces)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(
            name: try reader.take(),
            digest: try reader.take(),
            itemClass: try reader.take(),
            protection: try reader.take(),
            isTombstone: try reader.take(),
            modified: try reader.take(),
            attributes: try reader.take(),
            value: try reader.optionalSecret(),
            replaces: try reader.takeOptional()
        )
    }
}

extension SyncRecord: WireValue {
    static var leastByteCount: Int { 5 }

    func write(to buffer: inout WireBuffer) {
        buffer.put(key)
        buffer.put(optional: value)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(key: try reader.take(), value: try reader.takeOptional())
    }
}
