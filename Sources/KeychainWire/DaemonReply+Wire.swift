import CallerEvidence
import KeychainMessages
import KeychainModel

extension DaemonReply: WireValue {
    private enum Kind: UInt8, WireKind {
        case done = 1
        case caller = 2
        case grants = 3
        case log = 4
        case logVerdict = 5
        case move = 6
        case simulated = 7

        static var meaning: String { "reply of the daemon" }
    }

    func write(to buffer: inout WireBuffer) {
        switch self {
        case .done: buffer.put(kind: Kind.done)
        case .caller(let caller):
            buffer.put(kind: Kind.caller)
            buffer.put(caller)
        case .grants(let grants):
            buffer.put(kind: Kind.grants)
            buffer.put(list: grants, WireLimit.elements)
        case .log(let lines, let next):
            buffer.put(kind: Kind.log)
            buffer.put(list: lines, WireLimit.elements)
            buffer.put(next)
        case .logVerdict(let verdict):
            buffer.put(kind: Kind.logVerdict)
            buffer.put(verdict)
        case .move(let reply):
            buffer.put(kind: Kind.move)
            buffer.put(reply)
        case .simulated(let words):
            buffer.put(kind: Kind.simulated)
            buffer.put(words)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.kind(Kind.self) {
        case .done: self = .done
        case .caller: self = .caller(try reader.take())
        case .grants: self = .grants(try reader.takeList(WireLimit.elements))
        case .log:
            self = .log(try reader.takeList(WireLimit.elements), next: try reader.take())
        case .logVerdict: self = .logVerdict(try reader.take())
        case .move: self = .move(try reader.take())
        case .simulated: self = .simulated(try reader.take())
        }
    }
}

extension LogLine: WireValue {
    static var leastByteCount: Int { 37 }

    func write(to buffer: inout WireBuffer) {
        buffer.put(time)
        buffer.put(program)
        buffer.put(level)
        buffer.put(verb)
        buffer.put(itemClass)
        buffer.put(group)
        buffer.put(itemDigest)
        buffer.put(status)
        buffer.put(rule)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(
            time: try reader.integer(),
            program: try reader.take(),
            level: try reader.take(),
            verb: try reader.take(),
            itemClass: try reader.take(),
            group: try reader.take(),
            itemDigest: try reader.take(),
            status: try reader.integer(),
            rule: try reader.take()
        )
    }
}

extension LogVerdict: WireValue {
    func write(to buffer: inout WireBuffer) {
        buffer.put(soundCount)
        buffer.put(list: faults, WireLimit.elements)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(
            soundCount: try reader.integer(),
            faults: try reader.takeList(WireLimit.elements)
        )
    }
}

extension MoveReply: WireValue {
    private enum Kind: UInt8, WireKind {
        case ready = 1
        case files = 2
        case bytes = 3
        case adopted = 4
        case released = 5
        case checked = 6
        case needsPasscode = 7
        case occupied = 8
        case discarded = 9

        static var meaning: String { "reply to a step of a move" }
    }

    func write(to buffer: inout WireBuffer) {
        switch self {
        case .ready: buffer.put(kind: Kind.ready)
        case .files(let files):
            buffer.put(kind: Kind.files)
            buffer.put(list: files, WireLimit.entries)
        case .bytes(let bytes):
            buffer.put(kind: Kind.bytes)
            buffer.put(bytes)
        case .adopted(let itemCount, let aside):
            buffer.put(kind: Kind.adopted)
            buffer.put(count: itemCount)
            buffer.put(optional: aside)
        case .needsPasscode: buffer.put(kind: Kind.needsPasscode)
        case .occupied(let itemCount):
            buffer.put(kind: Kind.occupied)
            buffer.put(count: itemCount)
        case .discarded(let directories):
            buffer.put(kind: Kind.discarded)
            buffer.put(list: directories, WireLimit.entries)
        case .released(let aside):
            buffer.put(kind: Kind.released)
            buffer.put(aside)
        case .checked(let files, let itemCount):
            buffer.put(kind: Kind.checked)
            buffer.put(list: files, WireLimit.entries)
            buffer.put(count: itemCount)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.kind(Kind.self) {
        case .ready: self = .ready
        case .files: self = .files(try reader.takeList(WireLimit.entries))
        case .bytes: self = .bytes(try reader.take())
        case .adopted:
            self = .adopted(itemCount: try reader.count(), aside: try reader.takeOptional())
        case .needsPasscode: self = .needsPasscode
        case .occupied: self = .occupied(itemCount: try reader.count())
        case .discarded: self = .discarded(try reader.takeList(WireLimit.entries))
        case .released: self = .released(aside: try reader.take())
        case .checked:
            self = .checked(
                try reader.takeList(WireLimit.entries),
                itemCount: try reader.count()
            )
        }
    }
}

extension MovedFile: WireValue {
    static var leastByteCount: Int { 16 }

    func write(to buffer: inout WireBuffer) {
        buffer.put(name)
        buffer.put(byteCount)
        buffer.put(digest)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(
            name: try reader.take(),
            byteCount: try reader.integer(),
            digest: try reader.take()
        )
    }
}
