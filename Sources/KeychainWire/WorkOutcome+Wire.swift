import KeychainMessages
import KeychainModel

extension WorkOutcome: WireValue {
    private enum Kind: UInt8, WireKind {
        case backup = 1
        case restore = 2
        case check = 3
        case passcodeLosses = 4

        static var meaning: String { "outcome of work" }
    }

    func write(to buffer: inout WireBuffer) {
        switch self {
        case .backup(let report):
            buffer.put(kind: Kind.backup)
            buffer.put(report)
        case .restore(let report):
            buffer.put(kind: Kind.restore)
            buffer.put(report)
        case .check(let report):
            buffer.put(kind: Kind.check)
            buffer.put(report)
        case .passcodeLosses(let closedCount):
            buffer.put(kind: Kind.passcodeLosses)
            buffer.put(count: closedCount)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.kind(Kind.self) {
        case .backup: self = .backup(try reader.take())
        case .restore: self = .restore(try reader.take())
        case .check: self = .check(try reader.take())
        case .passcodeLosses: self = .passcodeLosses(closedCount: try reader.count())
        }
    }
}

extension BackupReport: WireValue {
    func write(to buffer: inout WireBuffer) {
        buffer.put(count: itemCount)
        buffer.put(counts: omissions)
        buffer.put(count: deviceBoundCount)
        buffer.put(counts: stayingCounts)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init()
        itemCount = try reader.count()
        omissions = try reader.counts()
        deviceBoundCount = try reader.count()
        stayingCounts = try reader.counts()
    }
}

extension RestoreReport: WireValue {
    func write(to buffer: inout WireBuffer) {
        buffer.put(count: restoredCount)
        buffer.put(count: foreignCount)
        buffer.put(count: deletedCount)
        buffer.put(list: conflicts, WireLimit.results)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init()
        restoredCount = try reader.count()
        foreignCount = try reader.count()
        deletedCount = try reader.count()
        conflicts = try reader.takeList(WireLimit.results)
    }
}

extension RestoreReport.Conflict: WireValue {
    static var leastByteCount: Int { 10 }

    func write(to buffer: inout WireBuffer) {
        buffer.put(itemClass)
        buffer.put(accessGroup)
        buffer.put(optional: name)
        buffer.put(isReplaced)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(
            itemClass: try reader.take(),
            accessGroup: try reader.take(),
            name: try reader.takeOptional(),
            isReplaced: try reader.take()
        )
    }
}

extension CheckReport: WireValue {
    func write(to buffer: inout WireBuffer) {
        buffer.put(counts: soundCounts)
        buffer.put(count: lockedCount)
        buffer.put(count: tombstoneCount)
        buffer.put(count: guardedCount)
        buffer.put(count: endedCount)
        buffer.put(count: faultCount)
        buffer.put(counts: groupCounts)
        buffer.put(mayHoldEarlierValues)
        buffer.put(count: unreadableCount)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init()
        soundCounts = try reader.counts()
        lockedCount = try reader.count()
        tombstoneCount = try reader.count()
        guardedCount = try reader.count()
        endedCount = try reader.count()
        faultCount = try reader.count()
        groupCounts = try reader.counts()
        mayHoldEarlierValues = try reader.take()
        unreadableCount = try reader.count()
    }
}
