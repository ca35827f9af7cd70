import KeychainMessages
import KeychainModel

extension MaintenanceReply: WireValue {
    private enum Kind: UInt8, WireKind {
        case done = 1
        case begun = 2
        case portion = 3
        case accepted = 4
        case programGroup = 5

        static var meaning: String { "reply about maintenance" }
    }

    func write(to buffer: inout WireBuffer) {
        switch self {
        case .done: buffer.put(kind: Kind.done)
        case .begun(let id):
            buffer.put(kind: Kind.begun)
            buffer.put(id)
        case .portion(let portion):
            buffer.put(kind: Kind.portion)
            buffer.put(portion)
        case .accepted(let rowCount):
            buffer.put(kind: Kind.accepted)
            buffer.put(count: rowCount)
        case .programGroup(let group):
            buffer.put(kind: Kind.programGroup)
            buffer.put(group)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.kind(Kind.self) {
        case .done: self = .done
        case .begun: self = .begun(try reader.take())
        case .portion: self = .portion(try reader.take())
        case .accepted: self = .accepted(rowCount: try reader.count())
        case .programGroup: self = .programGroup(try reader.take())
        }
    }
}

extension RecordedGroup: WireValue {
    func write(to buffer: inout WireBuffer) {
        buffer.put(group.name)
        buffer.put(group.origin)
        buffer.put(optional: records)
    }

    init(from reader: inout WireReader) throws(WireError) {
        let group = ProgramGroup(try reader.take(), try reader.take())
        self.init(group, records: try reader.takeOptional())
    }
}

extension WorkPortion: WireValue {
    func write(to buffer: inout WireBuffer) {
        buffer.put(list: findings, WireLimit.elements)
        buffer.put(count: doneCount)
        buffer.put(optional: outcome)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init()
        findings = try reader.takeList(WireLimit.elements)
        doneCount = try reader.count()
        outcome = try reader.takeOptional()
    }
}

extension WorkFinding: WireValue {
    private enum Kind: UInt8, WireKind {
        case bytes = 1
        case fault = 2
        case boundItem = 3

        static var meaning: String { "kind of finding" }
    }

    static var leastByteCount: Int { 3 }

    func write(to buffer: inout WireBuffer) {
        switch self {
        case .bytes(let bytes):
            buffer.put(kind: Kind.bytes)
            buffer.put(bytes)
        case .fault(let fault):
            buffer.put(kind: Kind.fault)
            buffer.put(fault)
        case .boundItem(let item):
            buffer.put(kind: Kind.boundItem)
            buffer.put(item)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.kind(Kind.self) {
        case .bytes: self = .bytes(try reader.take())
        case .fault: self = .fault(try reader.take())
        case .boundItem: self = .boundItem(try reader.take())
        }
    }
}

extension CheckFault: WireValue {
    private enum Kind: UInt8, WireKind {
        case row = 1
        case metadataKey = 2
        case groupName = 3
        case database = 4
        case rowSum = 5

        static var meaning: String { "kind of fault" }
    }

    func write(to buffer: inout WireBuffer) {
        switch self {
        case .row(let row):
            buffer.put(kind: Kind.row)
            buffer.put(row)
        case .metadataKey(let protection):
            buffer.put(kind: Kind.metadataKey)
            buffer.put(protection)
        case .groupName(let digest):
            buffer.put(kind: Kind.groupName)
            buffer.put(digest)
        case .database(let sentence):
            buffer.put(kind: Kind.database)
            buffer.put(sentence)
        case .rowSum(let found, let written):
            buffer.put(kind: Kind.rowSum)
            buffer.put(optionalCount: found)
            buffer.put(optionalCount: written)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.kind(Kind.self) {
        case .row: self = .row(try reader.take())
        case .metadataKey: self = .metadataKey(try reader.take())
        case .groupName: self = .groupName(try reader.take())
        case .database: self = .database(try reader.take())
        case .rowSum:
            self = .rowSum(
                found: try reader.optionalCount(),
                written: try reader.optionalCount()
            )
        }
    }
}

extension UnreadableRow: WireValue {
    func write(to buffer: inout WireBuffer) {
        buffer.put(itemClass)
        buffer.put(row)
        buffer.put(part)
        buffer.put(attributes)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(try reader.take(), row: try reader.integer(), try reader.take())
        attributes = try reader.take()
    }
}

extension BoundItem: WireValue {
    func write(to buffer: inout WireBuffer) {
        buffer.put(itemClass)
        buffer.put(row)
        buffer.put(bond)
        buffer.put(attributes)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(try reader.take(), row: try reader.integer(), try reader.take())
        attributes = try reader.take()
    }
}
