import KeychainModel
import Secrets

extension AttributeValue: WireValue {
    private enum Kind: UInt8, WireKind {
        case string = 1
        case data = 2
        case number = 3
        case real = 4
        case bool = 5
        case date = 6
        case secret = 7
        case accessControl = 8
        case array = 9
        case authentication = 10
        case null = 11
        case unsupported = 12
        case policy = 13

        static var meaning: String { "kind of value" }
    }

    func write(to buffer: inout WireBuffer) {
        switch self {
        case .string(let text):
            buffer.put(kind: Kind.string)
            buffer.put(text)
        case .data(let bytes):
            buffer.put(kind: Kind.data)
            buffer.put(bytes)
        case .number(let number):
            buffer.put(kind: Kind.number)
            buffer.put(number)
        case .real(let number):
            buffer.put(kind: Kind.real)
            buffer.put(number)
        case .bool(let flag):
            buffer.put(kind: Kind.bool)
            buffer.put(flag)
        case .date(let seconds):
            buffer.put(kind: Kind.date)
            buffer.put(seconds)
        case .secret(let secret):
            buffer.put(kind: Kind.secret)
            buffer.put(secret: secret)
        case .accessControl(let control):
            buffer.put(kind: Kind.accessControl)
            buffer.put(control)
        case .array(let values):
            buffer.put(kind: Kind.array)
            guard buffer.descend() else { return }
            buffer.put(list: values, WireLimit.elements)
            buffer.ascend()
        case .authentication(let context):
            buffer.put(kind: Kind.authentication)
            buffer.put(context)
        case .policy(let policy):
            buffer.put(kind: Kind.policy)
            buffer.put(policy)
        case .null: buffer.put(kind: Kind.null)
        case .unsupported(let typeName):
            buffer.put(kind: Kind.unsupported)
            buffer.put(typeName)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.kind(Kind.self) {
        case .string: self = .string(try reader.take())
        case .data: self = .data(try reader.take())
        case .number: self = .number(try reader.integer())
        case .real: self = .real(try reader.take())
        case .bool: self = .bool(try reader.take())
        case .date: self = .date(try reader.take())
        case .secret: self = .secret(try reader.secret())
        case .accessControl: self = .accessControl(try reader.take())
        case .array:
            try reader.descend()
            self = .array(try reader.takeList(WireLimit.elements))
            reader.ascend()
        case .authentication: self = .authentication(try reader.take())
        case .policy: self = .policy(try reader.take())
        case .null: self = .null
        case .unsupported: self = .unsupported(typeName: try reader.take())
        }
    }
}

extension CertificatePolicy: WireValue {
    private enum Kind: UInt8, WireKind {
        case any = 1
        case tlsServer = 2
        case tlsClient = 3

        static var meaning: String { "use of a certificate" }
    }

    func write(to buffer: inout WireBuffer) {
        switch use {
        case .any: buffer.put(kind: Kind.any)
        case .tlsServer: buffer.put(kind: Kind.tlsServer)
        case .tlsClient: buffer.put(kind: Kind.tlsClient)
        }
        buffer.put(optional: hostName)
    }

    init(from reader: inout WireReader) throws(WireError) {
        let use: Use =
            switch try reader.kind(Kind.self) {
            case .any: .any
            case .tlsServer: .tlsServer
            case .tlsClient: .tlsClient
            }
        self.init(use, hostName: try reader.takeOptional())
    }
}

extension AccessControl: WireValue {
    func write(to buffer: inout WireBuffer) {
        buffer.put(protection)
        buffer.put(flags.rawValue)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(
            protection: try reader.take(),
            flags: Flags(rawValue: try reader.integer())
        )
    }
}

extension AttributeDictionary: WireValue {
    static var leastByteCount: Int { 13 }

    func write(to buffer: inout WireBuffer) {
        guard buffer.put(elementCount: values.count, WireLimit.entries) else { return }
        let start = buffer.byteCount
        if !Self.write(values, to: &buffer) {
            // Swift orders some texts otherwise than their bytes.
            buffer.rewind(to: start)
            let entries = values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            _ = Self.write(entries, to: &buffer)
        }
        buffer.put(count: foreignKeyCount)
        buffer.put(optional: publicKeyHash)
    }

    /// Writes entries as they come.
    ///
    /// - Returns: Whether that was in the order of the bytes of their keys.
    private static func write(
        _ entries: some Sequence<SortedEntries<String, AttributeValue>.Element>,
        to buffer: inout WireBuffer
    ) -> Bool {
        var last: Range<Int>?
        for (key, value) in entries {
            let start = buffer.byteCount + String.leastByteCount
            buffer.put(key)
            let place = start..<max(start, buffer.byteCount)
            if let last, !buffer.isAscending(last, place) { return false }
            last = place
            value.write(to: &buffer)
        }
        return true
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(try Self.entries(from: &reader))
        foreignKeyCount = try reader.count()
        publicKeyHash = try reader.takeOptional()
    }

    /// Returns the entries, in the order of the bytes of their keys.
    private static func entries(
        from reader: inout WireReader
    ) throws(WireError) -> SortedEntries<String, AttributeValue> {
        let count = try reader.elementCount(WireLimit.entries, leastByteCount: 5)
        var entries = SortedEntries<String, AttributeValue>(minimumCapacity: min(count, 64))
        var last: UnsafeRawBufferPointer?
        for _ in 0..<count {
            let key = try reader.sized()
            if let last, !last.precedes(key) { throw .invalidValue("order of keys") }
            last = key
            entries[try String(validating: key)] = try reader.take()
        }
        // Two keys of different bytes can be one text.
        guard entries.count == count else { throw .invalidValue("key that occurs twice") }
        return entries
    }
}

extension AttributeValues: WireValue {
    static var leastByteCount: Int { 4 }

    func write(to buffer: inout WireBuffer) {
        guard buffer.put(elementCount: count, WireLimit.entries) else { return }
        for (attribute, value) in self {
            buffer.put(attribute.code)
            value.write(to: &buffer)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        let count = try reader.elementCount(WireLimit.entries, leastByteCount: 5)
        self.init(minimumCapacity: Swift.min(count, 64))
        for _ in 0..<count {
            let attribute = Attribute(code: try reader.integer())
            guard keys.last.map({ $0 < attribute }) ?? true else {
                throw .invalidValue("order of attributes")
            }
            self[attribute] = try reader.take()
        }
    }
}
