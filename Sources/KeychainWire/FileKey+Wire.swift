import KeychainMessages
import KeychainModel

extension FileClass: WireNumbered {
    static let numbers = WireNumbers<FileClass>(
        "class of a file",
        [
            (.complete, 1), (.completeUnlessOpen, 2), (.completeUntilFirstUserAuthentication, 3),
            (.none, 4),
        ]
    )
}

extension FileKeyRequest: WireValue {
    private enum Kind: UInt8, WireKind {
        case make = 1
        case open = 2
        case move = 3
        case check = 4

        static var meaning: String { "request about the key of a file" }
    }

    func write(to buffer: inout WireBuffer) {
        switch self {
        case .make(let fileClass, let file, let group):
            buffer.put(kind: Kind.make)
            buffer.put(fileClass)
            buffer.put(file)
            buffer.put(optional: group)
        case .open(let key):
            buffer.put(kind: Kind.open)
            buffer.put(key)
        case .move(let key, let fileClass):
            buffer.put(kind: Kind.move)
            buffer.put(key)
            buffer.put(fileClass)
        case .check(let key):
            buffer.put(kind: Kind.check)
            buffer.put(key)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.kind(Kind.self) {
        case .make:
            self = .make(
                try reader.take(),
                file: try reader.take(),
                group: try reader.takeOptional()
            )
        case .open: self = .open(try reader.take())
        case .move: self = .move(try reader.take(), to: try reader.take())
        case .check: self = .check(try reader.take())
        }
    }
}

extension FileKeyReply: WireValue {
    private enum Kind: UInt8, WireKind {
        case made = 1
        case key = 2
        case moved = 3
        case usable = 4

        static var meaning: String { "reply about the key of a file" }
    }

    func write(to buffer: inout WireBuffer) {
        switch self {
        case .made(let wrapped, let key):
            buffer.put(kind: Kind.made)
            buffer.put(wrapped)
            buffer.put(secret: key)
        case .key(let key):
            buffer.put(kind: Kind.key)
            buffer.put(secret: key)
        case .moved(let wrapped):
            buffer.put(kind: Kind.moved)
            buffer.put(wrapped)
        case .usable: buffer.put(kind: Kind.usable)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.kind(Kind.self) {
        case .made: self = .made(try reader.take(), key: try reader.secret())
        case .key: self = .key(try reader.secret())
        case .moved: self = .moved(try reader.take())
        case .usable: self = .usable
        }
    }
}

extension FileIdentifier: WireValue {
    static var leastByteCount: Int { byteCount }

    func write(to buffer: inout WireBuffer) { buffer.put(fixed: bytes) }

    init(from reader: inout WireReader) throws(WireError) {
        guard let file = FileIdentifier(try reader.bytes(Self.byteCount)) else { throw .truncated }
        self = file
    }
}

/// Every part but the group has a fixed size, so no two forms mean the same.
extension WrappedFileKey: WireValue {
    func write(to buffer: inout WireBuffer) {
        guard isWellFormed else { return buffer.refuse(.invalidValue("wrapped key of a file")) }
        buffer.put(fileClass)
        buffer.put(file)
        buffer.put(group)
        buffer.put(fixed: keySet)
        buffer.put(fixed: ephemeralPublicKey)
        buffer.put(fixed: wrapped)
    }

    init(from reader: inout WireReader) throws(WireError) {
        let fileClass = try reader.take(FileClass.self)
        self.init(
            fileClass,
            file: try reader.take(),
            group: try reader.take(),
            keySet: try reader.bytes(Self.keySetByteCount),
            ephemeralPublicKey: try reader.bytes(Self.ephemeralByteCount(of: fileClass)),
            wrapped: try reader.bytes(Self.wrappedByteCount)
        )
    }
}

extension WireBuffer {
    /// Writes bytes whose number both sides know.
    fileprivate mutating func put(fixed bytes: [UInt8]) {
        bytes.withUnsafeBytes { append($0) }
    }
}

extension WireReader {
    /// Reads a number of bytes, without a size in front of them.
    fileprivate mutating func bytes(_ count: Int) throws(WireError) -> [UInt8] {
        [UInt8](try take(byteCount: count))
    }
}
