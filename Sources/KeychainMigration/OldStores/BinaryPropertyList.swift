import Foundation

/// A reader for binary property lists, in which hostile bytes cause an error.
///
/// Foundation's reader ends the process if a corrupted list contains a set, so this type reads the
/// lists of old stores. The format is that of Apple's `CFBinaryPList.c`, version `bplist00`.
/// - Source: Documentation/Spec/migration.md §5.
struct BinaryPropertyList {
    /// A reference inside a keyed archive.
    struct Reference: Hashable, Sendable {
        let index: Int
    }

    /// The error for bytes that are not such a list.
    struct Damage: Error {}

    static let signature = Array("bplist00".utf8)
    private static let trailerByteCount = 32
    private static let depthLimit = 128
    private static let referenceLimit = 1_000_000
    /// The greatest total size of text and data, in bytes.
    ///
    /// Each object counts once for each reference.
    static let expandedByteCountLimit = 64 << 20

    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let objectCount: Int
    private let tableOffset: Int
    private let top: Int
    private var referenceCount = 0
    private var expandedByteCount = 0
    /// Text and data by index, because a list may refer to one object a million times.
    private var leaves: [Int: Leaf] = [:]
    /// The number of bytes of text and data that were decoded; each object counts once.
    private(set) var decodedByteCount = 0

    private struct Leaf {
        let value: Any
        let byteCount: Int
    }

    init(_ data: Data) throws(Damage) {
        bytes = [UInt8](data)
        let start = bytes.count - Self.trailerByteCount
        guard bytes.starts(with: Self.signature), start >= Self.signature.count else {
            throw Damage()
        }
        offsetSize = Int(bytes[start + 6])
        referenceSize = Int(bytes[start + 7])
        objectCount = try Self.number(bytes[(start + 8)..<(start + 16)])
        top = try Self.number(bytes[(start + 16)..<(start + 24)])
        tableOffset = try Self.number(bytes[(start + 24)..<(start + 32)])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            objectCount > 0, objectCount <= start, top < objectCount,
            tableOffset >= Self.signature.count, tableOffset <= start,
            objectCount <= (start - tableOffset) / offsetSize
        else { throw Damage() }
    }

    /// Returns the whole list, with `NSNumber` for numbers and ``Reference`` for references.
    mutating func root() throws(Damage) -> Any { try object(top, depth: 0) }

    private mutating func object(_ index: Int, depth: Int) throws(Damage) -> Any {
        guard index < objectCount, depth < Self.depthLimit else { throw Damage() }
        if let leaf = leaves[index] { return try expanded(leaf) }
        let entry = tableOffset + index * offsetSize
        let start = try Self.number(bytes[entry..<(entry + offsetSize)])
        guard start >= Self.signature.count, start < tableOffset else { throw Damage() }
        let low = Int(bytes[start] & 0x0F)
        switch bytes[start] >> 4 {
        case 0x0: return try simple(low)
        case 0x1: return try integer(at: start + 1, sizeLog: low)
        case 0x2: return NSNumber(value: try real(at: start + 1, byteCount: 1 << low))
        case 0x3:
            guard low == 3 else { throw Damage() }
            return Date(timeIntervalSinceReferenceDate: try real(at: start + 1, byteCount: 8))
        case 0x4: return try leaf(index, try counted(start, low)) { Data($0) }
        case 0x5: return try leaf(index, try counted(start, low), Self.ascii)
        case 0x6: return try leaf(index, try counted(start, low, unit: 2), Self.utf16)
        case 0x8: return Reference(index: try Self.number(try slice(start + 1, low + 1)))
        case 0xA: return try array(try counted(start, low, unit: referenceSize), depth)
        case 0xD: return try dictionary(try counted(start, low, unit: 2 * referenceSize), depth)
        default: throw Damage()
        }
    }

    /// Decodes text or data, and keeps it for further references.
    private mutating func leaf(
        _ index: Int,
        _ content: ArraySlice<UInt8>,
        _ decode: (ArraySlice<UInt8>) throws(Damage) -> Any
    ) throws(Damage) -> Any {
        let leaf = Leaf(value: try decode(content), byteCount: content.count)
        decodedByteCount += content.count
        leaves[index] = leaf
        return try expanded(leaf)
    }

    /// Counts a shared text again for each reference, because every walk over the list reads it
    /// each time.
    private mutating func expanded(_ leaf: Leaf) throws(Damage) -> Any {
        expandedByteCount += leaf.byteCount
        guard expandedByteCount <= Self.expandedByteCountLimit else { throw Damage() }
        return leaf.value
    }

    private func simple(_ low: Int) throws(Damage) -> Any {
        switch low {
        case 8: return NSNumber(value: false)
        case 9: return NSNumber(value: true)
        default: throw Damage()
        }
    }

    private func integer(at start: Int, sizeLog: Int) throws(Damage) -> NSNumber {
        guard sizeLog <= 4 else { throw Damage() }
        let bytes = try slice(start, 1 << sizeLog)
        let raw = bytes.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let head = bytes.dropLast(8)
        // Shorter numbers are unsigned. Eight bytes are signed, and longer forms exist only from
        // 2^63.
        if !head.isEmpty, head.allSatisfy({ $0 == 0 }) { return NSNumber(value: raw) }
        let isNegative = raw >> 63 == 1
        guard head.allSatisfy({ isNegative && $0 == 0xFF }) else { throw Damage() }
        return NSNumber(value: Int64(bitPattern: raw))
    }

    private func real(at start: Int, byteCount: Int) throws(Damage) -> Double {
        let raw = try slice(start, byteCount).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        switch byteCount {
        case 4: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: raw)))
        case 8: return Double(bitPattern: raw)
        default: throw Damage()
        }
    }

    private static func ascii(_ text: ArraySlice<UInt8>) throws(Damage) -> Any {
        guard text.allSatisfy({ $0 < 0x80 }) else { throw Damage() }
        return String(decoding: text, as: UTF8.self)
    }

    private static func utf16(_ text: ArraySlice<UInt8>) throws(Damage) -> Any {
        let units = stride(from: text.startIndex, to: text.endIndex, by: 2)
            .map { UInt16(text[$0]) << 8 | UInt16(text[$0 + 1]) }
        return String(decoding: units, as: UTF16.self)
    }

    private mutating func array(
        _ references: ArraySlice<UInt8>,
        _ depth: Int
    ) throws(Damage) -> [Any] {
        var elements: [Any] = []
        for reference in try indexes(references) {
            elements.append(try object(reference, depth: depth + 1))
        }
        return elements
    }

    private mutating func dictionary(
        _ references: ArraySlice<UInt8>,
        _ depth: Int
    ) throws(Damage) -> [String: Any] {
        let all = try indexes(references)
        let count = all.count / 2
        var entries: [String: Any] = [:]
        for position in 0..<count {
            guard let key = try object(all[position], depth: depth + 1) as? String else {
                throw Damage()
            }
            // Of two values for one key, a rewritten list would lose one.
            let value = try object(all[count + position], depth: depth + 1)
            guard entries.updateValue(value, forKey: key) == nil else { throw Damage() }
        }
        return entries
    }

    /// Returns the objects in an array or dictionary, within a limit for all references together.
    private mutating func indexes(_ references: ArraySlice<UInt8>) throws(Damage) -> [Int] {
        referenceCount += references.count / referenceSize
        guard referenceCount < Self.referenceLimit else { throw Damage() }
        var indexes: [Int] = []
        var start = references.startIndex
        while start < references.endIndex {
            indexes.append(try Self.number(references[start..<(start + referenceSize)]))
            start += referenceSize
        }
        return indexes
    }

    /// Returns the content of an object with its length in the marker, or in the number that
    /// follows.
    private func counted(
        _ start: Int,
        _ low: Int,
        unit: Int = 1
    ) throws(Damage) -> ArraySlice<UInt8> {
        guard low == 0xF else { return try slice(start + 1, low * unit) }
        guard start + 1 < tableOffset, bytes[start + 1] >> 4 == 1 else { throw Damage() }
        let sizeLog = Int(bytes[start + 1] & 0x0F)
        let count = try integer(at: start + 2, sizeLog: sizeLog).intValue
        guard count >= 0, count <= bytes.count else { throw Damage() }
        return try slice(start + 2 + (1 << sizeLog), count * unit)
    }

    private func slice(_ start: Int, _ count: Int) throws(Damage) -> ArraySlice<UInt8> {
        guard start <= tableOffset, count <= tableOffset - start else { throw Damage() }
        return bytes[start..<(start + count)]
    }

    /// Returns an unsigned number, whose most significant byte comes first.
    private static func number(_ part: ArraySlice<UInt8>) throws(Damage) -> Int {
        guard part.count <= 8 || part.dropLast(8).allSatisfy({ $0 == 0 }) else { throw Damage() }
        let raw = part.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let number = Int(exactly: raw) else { throw Damage() }
        return number
    }
}

/// A property list in XML or binary format.
enum PropertyListText {
    typealias Tree = (root: Any, format: PropertyListSerialization.PropertyListFormat)

    /// Returns the tree and its format; nil unless the bytes are an XML or binary property list.
    static func read(_ bytes: Data) -> Tree? {
        if bytes.starts(with: BinaryPropertyList.signature) {
            var list = try? BinaryPropertyList(bytes)
            return (try? list?.root()).map { ($0, .binary) }
        }
        var format = PropertyListSerialization.PropertyListFormat.openStep
        let root = try? PropertyListSerialization.propertyList(
            from: bytes,
            options: [],
            format: &format
        )
        guard let root, format == .xml, keyCount(ofXML: bytes) == keyCount(of: root) else {
            return nil
        }
        return (root, format)
    }

    /// How many keys all dictionaries have together.
    private static func keyCount(of value: Any) -> Int {
        switch value {
        case let dictionary as [String: Any]:
            dictionary.values.reduce(dictionary.count) { $0 + keyCount(of: $1) }
        case let array as [Any]: array.reduce(0) { $0 + keyCount(of: $1) }
        default: 0
        }
    }

    /// What holds no elements.
    private static let hidden = [("<!--", "-->"), ("<![CDATA[", "]]>")].map { (start: $0, end: $1) }

    /// How many keys are written, of which Foundation's reader drops those that are there twice.
    private static func keyCount(ofXML bytes: Data) -> Int {
        let isWide = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        let text = isWide ? String(data: bytes, encoding: .utf16).map { Data($0.utf8) } : nil
        let whole = text ?? bytes
        var rest = whole[...]
        var count = 0
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[start...]
            let hidden = hidden.first { rest.starts(with: $0.start.utf8) }
            if let hidden, let end = rest.range(of: Data(hidden.end.utf8)) {
                rest = rest[end.upperBound...]
                continue
            }
            let isKey = rest.starts(with: "<key".utf8)
            rest = rest.dropFirst(isKey ? 4 : 1)
            if isKey, let next = rest.first, "> \t\r\n/".utf8.contains(next) { count += 1 }
        }
        return count
    }
}
