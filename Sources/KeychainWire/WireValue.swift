import Secrets

/// A value with one form on the wire.
///
/// Writing does not fail: a value that cannot be sent sets the buffer's `fault`, and the buffer
/// then is no message.
protocol WireValue {
    /// The smallest number of bytes that a value takes.
    ///
    /// A number of values is accepted only if enough bytes are left.
    static var leastByteCount: Int { get }

    func write(to buffer: inout WireBuffer)

    init(from reader: inout WireReader) throws(WireError)
}

extension WireValue {
    static var leastByteCount: Int { 1 }
}

/// The numbers of the cases of an enum whose cases carry values.
///
/// Writer and reader use the same list; the numbers never depend on Swift's order of the cases.
protocol WireKind: RawRepresentable<UInt8> {
    /// The meaning of the number, for errors.
    static var meaning: String { get }
}

/// The numbers of an enum's cases, in one list for writer and reader.
struct WireNumbers<Value: Equatable & Sendable>: Sendable {
    /// The meaning of the number, for errors.
    let meaning: String
    let rows: [(value: Value, number: UInt8)]

    init(_ meaning: String, _ rows: [(value: Value, number: UInt8)]) {
        self.meaning = meaning
        self.rows = rows
    }
}

/// An enum whose cases carry nothing, and that travels as one byte.
protocol WireNumbered: WireValue, Equatable, Sendable {
    static var numbers: WireNumbers<Self> { get }
}

extension WireNumbered {
    func write(to buffer: inout WireBuffer) {
        for row in Self.numbers.rows where row.value == self {
            return buffer.put(row.number)
        }
        buffer.refuse(.unknownValue(Self.numbers.meaning))
    }

    init(from reader: inout WireReader) throws(WireError) {
        let number: UInt8 = try reader.integer()
        for row in Self.numbers.rows where row.number == number {
            self = row.value
            return
        }
        throw .unknownValue(Self.numbers.meaning)
    }
}

// Numbers, texts and bytes.
extension WireBuffer {
    @inline(__always)
    mutating func put<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number) {
        guard let free = room(for: MemoryLayout<Number>.size) else { return }
        free.storeBytes(of: number.bigEndian, as: Number.self)
    }

    @inline(__always)
    mutating func put(kind: some WireKind) { put(kind.rawValue) }

    @inline(__always)
    mutating func put(sized bytes: UnsafeRawBufferPointer) {
        guard let size = UInt32(exactly: bytes.count) else {
            return refuse(.limitExceeded("size of a value"))
        }
        put(size)
        append(bytes)
    }

    /// Writes a count, which is never negative.
    mutating func put(count: Int) {
        guard let number = UInt64(exactly: count), number <= WireLimit.count else {
            return refuse(.invalidValue("count"))
        }
        put(number)
    }
}

extension WireReader {
    @inline(__always)
    mutating func kind<Kind: WireKind>(_ type: Kind.Type = Kind.self) throws(WireError) -> Kind {
        guard let kind = Kind(rawValue: try integer()) else {
            throw .unknownValue(Kind.meaning)
        }
        return kind
    }

    mutating func count() throws(WireError) -> Int {
        let number: UInt64 = try integer()
        guard number <= WireLimit.count, let count = Int(exactly: number) else {
            throw .invalidValue("count")
        }
        return count
    }
}

// Values, absent values and lists of values.
extension WireBuffer {
    @inline(__always)
    mutating func put(_ value: some WireValue) { value.write(to: &self) }

    mutating func put<Value: WireValue>(optional value: Value?) {
        put(value != nil)
        if let value { value.write(to: &self) }
    }

    mutating func put<Value: WireValue>(list: [Value], _ limit: Int) {
        guard put(elementCount: list.count, limit) else { return }
        for value in list where fault == nil { value.write(to: &self) }
    }

    /// Whether the number of elements is permitted; if so, they have to follow.
    mutating func put(elementCount: Int, _ limit: Int) -> Bool {
        guard elementCount <= limit, let number = UInt32(exactly: elementCount) else {
            refuse(.limitExceeded("number of elements"))
            return false
        }
        spend(values: elementCount)
        put(number)
        return true
    }
}

extension WireReader {
    @inline(__always)
    mutating func take<Value: WireValue>(
        _ type: Value.Type = Value.self
    ) throws(WireError) -> Value {
        try Value(from: &self)
    }

    mutating func takeOptional<Value: WireValue>(
        _ type: Value.Type = Value.self
    ) throws(WireError) -> Value? {
        guard try take(Bool.self) else { return nil }
        return try Value(from: &self)
    }

    mutating func takeList<Value: WireValue>(
        of type: Value.Type = Value.self,
        _ limit: Int
    ) throws(WireError) -> [Value] {
        let count = try elementCount(limit, leastByteCount: Value.leastByteCount)
        var list: [Value] = []
        list.reserveCapacity(min(count, 64))
        for _ in 0..<count { list.append(try Value(from: &self)) }
        return list
    }
}

extension Bool: WireValue {
    func write(to buffer: inout WireBuffer) { buffer.put(self ? 1 as UInt8 : 0) }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.integer(UInt8.self) {
        case 0: self = false
        case 1: self = true
        default: throw .unknownValue("truth value")
        }
    }
}

extension Double: WireValue {
    func write(to buffer: inout WireBuffer) { buffer.put(bitPattern) }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(bitPattern: try reader.integer())
    }
}

extension String: WireValue {
    static var leastByteCount: Int { 4 }

    func write(to buffer: inout WireBuffer) {
        let isContiguous: Void? = utf8.withContiguousStorageIfAvailable { bytes in
            buffer.put(sized: UnsafeRawBufferPointer(bytes))
        }
        if isContiguous == nil { Array(utf8).write(to: &buffer) }
    }

    init(from reader: inout WireReader) throws(WireError) {
        try self.init(validating: try reader.sized())
    }

    /// - Throws: `WireError.invalidText` for bytes that are not UTF-8.
    init(validating bytes: UnsafeRawBufferPointer) throws(WireError) {
        let letters = bytes.assumingMemoryBound(to: UInt8.self).span
        do throws(UTF8.ValidationError) {
            self.init(copying: try UTF8Span(validating: letters))
        } catch {
            throw .invalidText
        }
    }
}

extension [UInt8]: WireValue {
    static var leastByteCount: Int { 4 }

    func write(to buffer: inout WireBuffer) { withUnsafeBytes { buffer.put(sized: $0) } }

    init(from reader: inout WireReader) throws(WireError) { self.init(try reader.sized()) }
}

// Secrets, which pass from one memory for secrets to another.
extension WireBuffer {
    mutating func put(secret: SharedSecret) {
        spendSecret(byteCount: secret.secret.byteCount)
        secret.secret.withUnsafeBytes { put(sized: $0) }
    }

    mutating func put(optionalSecret secret: SharedSecret?) {
        put(secret != nil)
        if let secret { put(secret: secret) }
    }
}

extension WireReader {
    mutating func optionalSecret() throws(WireError) -> SharedSecret? {
        try take(Bool.self) ? try secret() : nil
    }
}
