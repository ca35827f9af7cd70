import CallerEvidence
import KeychainMessages
import Secrets

extension DaemonRequest: WireValue {
    private enum Kind: UInt8, WireKind {
        case describeCaller = 1
        case grants = 2
        case grant = 3
        case revoke = 4
        case log = 5
        case verifyLog = 6
        case move = 7
        case simulate = 8

        static var meaning: String { "request to the daemon" }
    }

    func write(to buffer: inout WireBuffer) {
        switch self {
        case .describeCaller: buffer.put(kind: Kind.describeCaller)
        case .grants: buffer.put(kind: Kind.grants)
        case .grant(let grant, let passcode):
            buffer.put(kind: Kind.grant)
            buffer.put(grant)
            buffer.put(secret: passcode)
        case .revoke(let grant, let passcode):
            buffer.put(kind: Kind.revoke)
            buffer.put(grant)
            buffer.put(secret: passcode)
        case .log(let position):
            buffer.put(kind: Kind.log)
            buffer.put(optional: position)
        case .verifyLog: buffer.put(kind: Kind.verifyLog)
        case .move(let step):
            buffer.put(kind: Kind.move)
            buffer.put(step)
        case .simulate(let words):
            buffer.put(kind: Kind.simulate)
            buffer.put(list: words, WireLimit.entries)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.kind(Kind.self) {
        case .describeCaller: self = .describeCaller
        case .grants: self = .grants
        case .grant: self = .grant(try reader.take(), passcode: try reader.secret())
        case .revoke: self = .revoke(try reader.take(), passcode: try reader.secret())
        case .log: self = .log(after: try reader.takeOptional())
        case .verifyLog: self = .verifyLog
        case .move: self = .move(try reader.take())
        case .simulate: self = .simulate(try reader.takeList(WireLimit.entries))
        }
    }
}

extension MoveRequest: WireValue {
    private enum Kind: UInt8, WireKind {
        case beginAdoption = 1
        case file = 2
        case finishAdoption = 3
        case beginRelease = 4
        case read = 5
        case finishRelease = 6
        case abandon = 7
        case checkAdoption = 8
        case askAdoption = 9
        case discard = 10

        static var meaning: String { "step of a move" }
    }

    func write(to buffer: inout WireBuffer) {
        switch self {
        case .askAdoption(let keybag):
            buffer.put(kind: Kind.askAdoption)
            buffer.put(keybag)
        case .beginAdoption(let keybag, let passcode):
            buffer.put(kind: Kind.beginAdoption)
            buffer.put(keybag)
            buffer.put(optionalSecret: passcode)
        case .file(let name, let offset, let bytes):
            buffer.put(kind: Kind.file)
            buffer.put(name)
            buffer.put(offset)
            buffer.put(bytes)
        case .finishAdoption: buffer.put(kind: Kind.finishAdoption)
        case .beginRelease(let passcode):
            buffer.put(kind: Kind.beginRelease)
            buffer.put(secret: passcode)
        case .read(let name, let offset):
            buffer.put(kind: Kind.read)
            buffer.put(name)
            buffer.put(offset)
        case .finishRelease: buffer.put(kind: Kind.finishRelease)
        case .discard(let passcode):
            buffer.put(kind: Kind.discard)
            buffer.put(optionalSecret: passcode)
        case .abandon: buffer.put(kind: Kind.abandon)
        case .checkAdoption: buffer.put(kind: Kind.checkAdoption)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.kind(Kind.self) {
        case .askAdoption: self = .askAdoption(keybag: try reader.take())
        case .beginAdoption:
            self = .beginAdoption(keybag: try reader.take(), passcode: try reader.optionalSecret())
        case .discard: self = .discard(passcode: try reader.optionalSecret())
        case .file:
            self = .file(
                name: try reader.take(),
                offset: try reader.integer(),
                bytes: try reader.take()
            )
        case .finishAdoption: self = .finishAdoption
        case .beginRelease: self = .beginRelease(passcode: try reader.secret())
        case .read: self = .read(name: try reader.take(), offset: try reader.integer())
        case .finishRelease: self = .finishRelease
        case .abandon: self = .abandon
        case .checkAdoption: self = .checkAdoption
        }
    }
}

extension LogPosition: WireValue {
    func write(to buffer: inout WireBuffer) { buffer.put(lineNumber) }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(lineNumber: try reader.integer())
    }
}
