import KeychainMessages
import KeychainModel

extension ElementKeyRequest: WireValue {
    private enum Kind: UInt8, WireKind {
        case make = 1
        case check = 2
        case use = 3

        static var meaning: String { "request about a key of the secure element" }
    }

    func write(to buffer: inout WireBuffer) {
        switch self {
        case .make(let attributes, let isPermanent, let publicHalf):
            buffer.put(kind: Kind.make)
            buffer.put(attributes)
            buffer.put(isPermanent)
            buffer.put(optional: publicHalf)
        case .check(let handle):
            buffer.put(kind: Kind.check)
            buffer.put(handle)
        case .use(let handle, let algorithm, let use, let terms):
            buffer.put(kind: Kind.use)
            buffer.put(handle)
            buffer.put(algorithm)
            buffer.put(use)
            buffer.put(terms)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.kind(Kind.self) {
        case .make:
            self = .make(
                try reader.take(),
                isPermanent: try reader.take(),
                publicHalf: try reader.takeOptional()
            )
        case .check: self = .check(try reader.take())
        case .use:
            self = .use(
                try reader.take(),
                algorithm: try reader.take(),
                try reader.take(),
                try reader.take()
            )
        }
    }
}

extension ElementKeyReply: WireValue {
    private enum Kind: UInt8, WireKind {
        case made = 1
        case known = 2
        case bytes = 3

        static var meaning: String { "reply about a key of the secure element" }
    }

    func write(to buffer: inout WireBuffer) {
        switch self {
        case .made(let handle):
            buffer.put(kind: Kind.made)
            buffer.put(handle)
        case .known: buffer.put(kind: Kind.known)
        case .bytes(let secret):
            buffer.put(kind: Kind.bytes)
            buffer.put(secret: secret)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.kind(Kind.self) {
        case .made: self = .made(try reader.take())
        case .known: self = .known
        case .bytes: self = .bytes(try reader.secret())
        }
    }
}

/// In the form that it has in an item: Documentation/Spec/item.md §8.
extension ElementKeyHandle: WireValue {
    func write(to buffer: inout WireBuffer) {
        guard publicPoint.count == Self.pointByteCount, !sealedPrivateHalf.isEmpty else {
            return buffer.refuse(.invalidValue("handle of a key"))
        }
        buffer.put(encoded)
    }

    init(from reader: inout WireReader) throws(WireError) {
        let bytes: [UInt8] = try reader.take()
        guard let handle = ElementKeyHandle(decoding: bytes), handle.encoded == bytes else {
            throw .invalidValue("handle of a key")
        }
        self = handle
    }
}

extension ElementKeyUse: WireValue {
    private enum Kind: UInt8, WireKind {
        case sign = 1
        case decrypt = 2
        case agree = 3

        static var meaning: String { "use of a key" }
    }

    func write(to buffer: inout WireBuffer) {
        switch self {
        case .sign(let bytes):
            buffer.put(kind: Kind.sign)
            buffer.put(bytes)
        case .decrypt(let bytes):
            buffer.put(kind: Kind.decrypt)
            buffer.put(bytes)
        case .agree(let point, let byteCount, let sharedInfo):
            buffer.put(kind: Kind.agree)
            buffer.put(point)
            buffer.put(count: byteCount)
            buffer.put(sharedInfo)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.kind(Kind.self) {
        case .sign: self = .sign(try reader.take())
        case .decrypt: self = .decrypt(try reader.take())
        case .agree:
            self = .agree(
                publicPoint: try reader.take(),
                byteCount: try reader.count(),
                sharedInfo: try reader.take()
            )
        }
    }
}
