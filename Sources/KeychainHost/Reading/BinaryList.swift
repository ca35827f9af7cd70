/// A reader of a property list in Apple's binary form.
///
/// - Source: the format that Apple's `CFBinaryPList.c` describes, version `bplist00`.
struct BinaryList {
    private typealias Damage = PropertyList.Damage

    static let signature = Array("bplist00".utf8)
    private static let trailerByteCount = 32
    /// The average number of times that each byte may be read, as a list may refer to a value
    /// often.
    private static let repetitionLimit = 16

    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let objectCount: Int
    private let top: Int
    private let table: Int
    private var work = 0

    init(_ bytes: [UInt8]) throws(PropertyList.Damage) {
        self.bytes = bytes
        let trailer = bytes.count - Self.trailerByteCount
        guard trailer >= Self.signature.count else { throw Damage() }
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        objectCount = try Self.number(bytes[(trailer + 8)..<(trailer + 16)])
        top = try Self.number(bytes[(trailer + 16)..<(trailer + 24)])
        table = try Self.number(bytes[(trailer + 24)..<(trailer + 32)])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            (Self.signature.count...trailer).contains(table),
            objectCount <= (trailer - table) / offsetSize
        else { throw Damage() }
    }

    mutating func read() throws(PropertyList.Damage) -> PropertyList {
        try value(top, depth: 1)
    }

    private mutating func value(
        _ index: Int,
        depth: Int
    ) throws(PropertyList.Damage) -> PropertyList {
        guard depth <= PropertyList.depthLimit, index < objectCount else { throw Damage() }
        try spend(1)
        let entry = table + index * offsetSize
        var place = try Self.number(bytes[entry..<(entry + offsetSize)])
        guard place < table else { throw Damage() }
        let kind = bytes[place] >> 4
        guard [0x5, 0x6, 0xA, 0xD].contains(kind) else {
            guard (0x0...0x4).contains(kind) || kind == 0x8 else { throw Damage() }
            return .other
        }
        let count = try count(at: &place)
        switch kind {
        case 0x5: return .text(try ascii(take(count, of: 1, at: place)))
        case 0x6: return .text(try utf16(take(count, of: 2, at: place)))
        case 0xA: return .list(try values(try references(count, at: place), depth))
        default:
            let keys = try values(try references(count, at: place), depth)
            let place = place + count * referenceSize
            let values = try values(try references(count, at: place), depth)
            var entries: [String: PropertyList] = [:]
            for (key, value) in zip(keys, values) {
                guard case .text(let key) = key else { throw Damage() }
                entries[key] = value
            }
            return .entries(entries)
        }
    }

    private mutating func values(
        _ references: [Int],
        _ depth: Int
    ) throws(PropertyList.Damage) -> [PropertyList] {
        var values: [PropertyList] = []
        for index in references { values.append(try value(index, depth: depth + 1)) }
        return values
    }

    private mutating func references(
        _ count: Int,
        at place: Int
    ) throws(PropertyList.Damage) -> [Int] {
        var rest = try take(count, of: referenceSize, at: place)
        var references: [Int] = []
        while !rest.isEmpty {
            references.append(try Self.number(rest.prefix(referenceSize)))
            rest = rest.dropFirst(referenceSize)
        }
        return references
    }
}

// Bytes.
extension BinaryList {
    private mutating func spend(_ count: Int) throws(PropertyList.Damage) {
        work += count
        guard work <= bytes.count * Self.repetitionLimit else { throw Damage() }
    }

    /// Returns a big-endian number.
    private static func number(_ bytes: ArraySlice<UInt8>) throws(PropertyList.Damage) -> Int {
        let number = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard number <= UInt64(Int32.max) else { throw Damage() }
        return Int(number)
    }

    /// Returns the number of parts of the object, and moves `place` to the first one.
    private func count(at place: inout Int) throws(PropertyList.Damage) -> Int {
        let low = bytes[place] & 0xF
        place += 1
        guard low == 0xF else { return Int(low) }
        guard place < table, bytes[place] >> 4 == 0x1, bytes[place] & 0xF <= 3 else {
            throw Damage()
        }
        let size = 1 << Int(bytes[place] & 0xF)
        place += 1
        guard place + size <= table else { throw Damage() }
        defer { place += size }
        return try Self.number(bytes[place..<(place + size)])
    }

    private mutating func take(
        _ count: Int,
        of size: Int,
        at place: Int
    ) throws(PropertyList.Damage) -> ArraySlice<UInt8> {
        guard place <= table, count <= (table - place) / size else { throw Damage() }
        try spend(count)
        return bytes[place..<(place + count * size)]
    }

    private func ascii(_ bytes: ArraySlice<UInt8>) throws(PropertyList.Damage) -> String {
        guard bytes.allSatisfy({ $0 < 0x80 }) else { throw Damage() }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func utf16(_ bytes: ArraySlice<UInt8>) throws(PropertyList.Damage) -> String {
        var units: [UInt16] = []
        for index in stride(from: bytes.startIndex, to: bytes.endIndex, by: 2) {
            units.append(UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1]))
        }
        guard let text = String(validating: units, as: UTF16.self) else { throw Damage() }
        return text
    }
}
