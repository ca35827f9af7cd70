/// Attributes from a template that nothing else in the object records.
///
/// The item of a stored object has them in its attribute `tkat`.
/// - Source: Documentation/Spec/pkcs11.md §4.
struct KeptAttributes: Sendable, Hashable {
    /// The greatest total size, in bytes.
    static let byteCountLimit = 16 << 10

    private var values: [AttributeType: [UInt8]] = [:]

    init() {}

    subscript(type: AttributeType) -> [UInt8]? {
        get { values[type] }
        set { values[type] = newValue }
    }

    /// Returns a truth value; nil if the attribute is absent.
    func flag(_ type: AttributeType) -> Bool? { values[type].map { $0 == [1] } }

    /// Returns the attributes by type: type (4 bytes, little-endian), byte count (4), value.
    ///
    /// - Throws: `attributeValueInvalid` if they do not fit an item.
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

    /// Decodes the result of `encoded`; nil for anything else.
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
