import KeychainMessages
import KeychainModel
import Secrets

extension MaintenanceRequest: WireValue {
    private enum Kind: UInt8, WireKind {
        case begin = 1
        case next = 2
        case give = 3
        case stop = 4
        case acceptRows = 5
        case programGroup = 6

        static var meaning: String { "request for maintenance" }
    }

    func write(to buffer: inout WireBuffer) {
        switch self {
        case .begin(let work):
            buffer.put(kind: Kind.begin)
            buffer.put(work)
        case .next(let id):
            buffer.put(kind: Kind.next)
            buffer.put(id)
        case .give(let id, let bytes):
            buffer.put(kind: Kind.give)
            buffer.put(id)
            buffer.put(bytes)
        case .stop(let id):
            buffer.put(kind: Kind.stop)
            buffer.put(id)
        case .acceptRows: buffer.put(kind: Kind.acceptRows)
        case .programGroup(let query):
            buffer.put(kind: Kind.programGroup)
            buffer.put(query)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.kind(Kind.self) {
        case .begin: self = .begin(try reader.take())
        case .next: self = .next(try reader.take())
        case .give: self = .give(try reader.take(), try reader.take())
        case .stop: self = .stop(try reader.take())
        case .acceptRows: self = .acceptRows
        case .programGroup: self = .programGroup(try reader.take())
        }
    }
}

extension MaintenanceWork: WireValue {
    private enum Kind: UInt8, WireKind {
        case backup = 1
        case restore = 2
        case check = 3
        case passcodeLosses = 4

        static var meaning: String { "kind of work" }
    }

    func write(to buffer: inout WireBuffer) {
        switch self {
        case .backup(let password):
            buffer.put(kind: Kind.backup)
            buffer.put(secret: password)
        case .restore(let password):
            buffer.put(kind: Kind.restore)
            buffer.put(secret: password)
        case .check(let extent):
            buffer.put(kind: Kind.check)
            buffer.put(extent)
        case .passcodeLosses: buffer.put(kind: Kind.passcodeLosses)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.kind(Kind.self) {
        case .backup: self = .backup(password: try reader.secret())
        case .restore: self = .restore(password: try reader.secret())
        case .check: self = .check(try reader.take())
        case .passcodeLosses: self = .passcodeLosses
        }
    }
}

extension WorkID: WireValue {
    func write(to buffer: inout WireBuffer) {
        buffer.put(high)
        buffer.put(low)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(high: try reader.integer(), low: try reader.integer())
    }
}

extension ProgramGroupQuery: WireValue {
    func write(to buffer: inout WireBuffer) {
        buffer.put(program)
        buffer.put(optional: declared)
        buffer.put(otherwise)
        buffer.put(optional: records)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(
            try reader.take(),
            declared: try reader.takeOptional(),
            otherwise: try reader.take(),
            records: try reader.takeOptional()
        )
    }
}

extension ProgramFile: WireValue {
    func write(to buffer: inout WireBuffer) {
        buffer.put(path)
        buffer.put(identity)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(path: try reader.take(), identity: try reader.take())
    }
}
