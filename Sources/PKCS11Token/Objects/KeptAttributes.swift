/// Attributes that a template gave an object, and that nothing else of the object says.
///
/// An object of the token has them in the attribute `tkat` of its item.
/// - Source: Documentation/Spec/pkcs11.md §4.
struct KeptAttributes: Sendable, Hashable {
    /// The most bytes of all together.
    static let byteCountLimit = 16 << 10

    private var values: [AttributeType: [UInt8]] = [:]

    init() {}

    subscript(type: AttributeType) -> [UInt8]? {
        get { values[type] }
        set { values[type] = newValue }
    }

    /// A truth value; nil if it is not among them.
    func flag(_ type: AttributeType) -> Bool? { values[type].map { $0 == [1] } }

    /// In the order of their types: type (4 bytes, little-endian), byte count (4), value.
    ///
    /// - Throws: `attributeValueInvalid` for more bytes than an item has room for.
    func encoded() throws(ReturnCode) -> [UInt8] {
        var bytes: [UInt8] = []
        for (type, value) in values.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            bytes += Self.littleEndian(UInt32(clamping: type.rawValue))
            bytes += Self.littleEndian(UInt32(clamping: value.count))
            bytes += value
        }
        guard bytes.count <= Self.byteCountLimit else { throw .attributeValueInvalid }
        return bytes
    }

    /// Reads what `encoded` wrote; nil for anything else.
    init?(encoded bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let type = Self.number(&rest), let count = Self.number(&rest),
                count <= rest.count
            else { return nil }
            values[AttributeType(rawValue: UInt(type))] = Array(rest.prefix(Int(count)))
            rest = rest.dropFirst(Int(count))
        }
    }

    private static func littleEndian(_ number: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    private static func number(_ rest: inout ArraySlice<UInt8>) -> UInt32? {
        guard rest.count >= 4 else { return nil }
        defer { rest = rest.dropFirst(4) }
        return rest.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
