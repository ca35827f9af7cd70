import Secrets

/// The conversion of a caller's value to the stored one, by the attribute's kind.
///
/// - Source: Documentation/Spec/item.md §2; requirement QRY-40.
package enum Coercion {
    /// Whether a value already has the kind, as nearly all do, so that it is stored unchanged.
    package static func keeps(_ value: AttributeValue, as kind: AttributeKind) -> Bool {
        switch (kind, value) {
        case (.string, .string), (.accessible, .string), (.data, .data), (.number, .number),
            (.blob, .string), (.blob, .data), (.blob, .number), (.accessControl, .accessControl):
            true
        default: false
        }
    }

    /// Returns the value to store; nil if the kind does not accept it (`errSecParam`).
    package static func coerce(_ value: AttributeValue, to kind: AttributeKind) -> AttributeValue? {
        if keeps(value, as: kind) { return value }
        return switch kind {
        case .string: text(value).map(AttributeValue.string)
        case .accessible: text(value).map(AttributeValue.string)
        case .data: bytes(value).map(AttributeValue.data)
        case .blob: blob(value)
        case .number: number(value)
        case .date: date(value)
        case .uuid: uuid(value)
        case .pairs: pairs(value)
        case .accessControl: nil
        }
    }

    private static func text(_ value: AttributeValue) -> String? {
        switch value {
        case .string(let text): text
        case .data(let bytes): String(validating: bytes, as: UTF8.self)
        default: nil
        }
    }

    private static func bytes(_ value: AttributeValue) -> [UInt8]? {
        switch value {
        case .string(let text): Array(text.utf8)
        case .number(let number): Int32(exactly: number).map(littleEndian)
        default: nil
        }
    }

    private static func blob(_ value: AttributeValue) -> AttributeValue? {
        guard case .real(let number) = value else { return nil }
        return Int64(exactly: number).map(AttributeValue.number) ?? value
    }

    private static func number(_ value: AttributeValue) -> AttributeValue? {
        switch value {
        case .bool(let flag): .number(flag ? 1 : 0)
        case .real(let number): Int64(exactly: number).map(AttributeValue.number) ?? value
        case .string(let text): decimal(text)
        default: nil
        }
    }

    /// Converts text that is the decimal form of a 32-bit number; other text stays.
    private static func decimal(_ text: String) -> AttributeValue {
        guard let number = Int32(text), String(number) == text else { return .string(text) }
        return .number(Int64(number))
    }

    private static func date(_ value: AttributeValue) -> AttributeValue? {
        guard case .date(let seconds) = value, seconds.isFinite else { return nil }
        return value
    }

    private static func uuid(_ value: AttributeValue) -> AttributeValue? {
        switch value {
        case .null: .data([])
        case .data(let bytes) where bytes.isEmpty || bytes.count == 16: value
        default: nil
        }
    }

    private static func pairs(_ value: AttributeValue) -> AttributeValue? {
        guard case .data(let bytes) = value, LookupPairs(encoded: bytes) != nil else { return nil }
        return value
    }

    /// Returns the bytes by which a stored value is compared, and from which its digest is made.
    ///
    /// Text and data with the same bytes are the same value. A number of the number kind is not
    /// equal to its text, so that `"http"` and a port never collide.
    package static func canonicalBytes(of value: AttributeValue, kind: AttributeKind) -> [UInt8] {
        var bytes: [UInt8] = []
        appendCanonicalBytes(of: value, kind: kind, to: &bytes)
        return bytes
    }

    /// Appends those bytes to others.
    package static func appendCanonicalBytes(
        of value: AttributeValue,
        kind: AttributeKind,
        to bytes: inout [UInt8]
    ) {
        switch value {
        case .string(let text): bytes += text.utf8
        case .data(let data): bytes += data
        case .number(let number) where kind == .number:
            bytes.append(0xFF)
            append(number, to: &bytes)
        case .number(let number): append(Int32(truncatingIfNeeded: number), to: &bytes)
        case .real(let number):
            bytes.append(0xFE)
            append(number.bitPattern, to: &bytes)
        case .date(let seconds):
            bytes.append(0xFD)
            append(canonicalDate(seconds), to: &bytes)
        case .bool(let flag): bytes.append(flag ? 1 : 0)
        case .secret, .accessControl, .array, .authentication, .policy, .null, .unsupported: break
        }
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }

    /// Makes -0.0 and 0.0 the same moment.
    private static func canonicalDate(_ seconds: Double) -> UInt64 {
        seconds == 0 ? 0 : seconds.bitPattern
    }

    /// Returns the value of an omitted attribute with the `defaulted` trait.
    package static func emptyValue(of kind: AttributeKind) -> AttributeValue {
        switch kind {
        case .string, .accessible, .blob: .string("")
        case .data, .uuid, .pairs: .data([])
        case .number: .number(0)
        case .date: .date(0)
        case .accessControl: .null
        }
    }

    package static func littleEndian<T: FixedWidthInteger>(_ number: T) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}
