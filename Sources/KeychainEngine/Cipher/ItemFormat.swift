import KeychainModel

/// The bytes of an item's metadata half before sealing.
///
/// - Source: Documentation/Spec/item.md §4.
enum ItemFormat {
    /// The value kinds by their tag byte.
    private enum Tag: UInt8 {
        case string = 1
        case data = 2
        case number = 3
        case real = 4
        case date = 5
        case accessControl = 6
    }

    /// The entry of an item that was added without a value.
    private static let noValue = Attribute(rawValue: "nval")

    /// Encodes the entries, sorted by their letters: 4 letters, tag, 4-byte length, bytes.
    static func encode(_ item: PlainItem) -> [UInt8] {
        var entries = item.attributes
        entries[.accessGroup] = .string(item.accessGroup)
        entries[.accessControl] = item.accessControl.map(AttributeValue.accessControl)
        if let hash = item.publicKeyHash { entries[.publicKeyHash] = .data(hash) }
        if item.hasNoValue { entries[noValue] = .number(1) }
        var bytes: [UInt8] = []
        for (attribute, value) in zip(entries.keys, entries.values) {
            guard let (tag, body) = encode(value) else { continue }
            bytes += Array(attribute.rawValue.utf8)
            bytes.append(tag.rawValue)
            bytes += Coercion.littleEndian(UInt32(clamping: body.count))
            bytes += body
        }
        return bytes
    }

    private static func encode(_ value: AttributeValue) -> (Tag, [UInt8])? {
        switch value {
        case .string(let text): (.string, Array(text.utf8))
        case .data(let bytes): (.data, bytes)
        case .number(let number): (.number, Coercion.littleEndian(number))
        case .real(let number): (.real, Coercion.littleEndian(number.bitPattern))
        case .date(let seconds): (.date, Coercion.littleEndian(seconds.bitPattern))
        case .accessControl(let control):
            (
                .accessControl,
                [control.protection.rawValue] + Coercion.littleEndian(control.flags.rawValue)
            )
        case .bool, .secret, .array, .authentication, .policy, .null, .unsupported: nil
        }
    }

    /// Decodes the result of `encode`; returns nil for anything else.
    static func decode(_ bytes: UnsafeRawBufferPointer, of columns: ItemColumns) -> PlainItem? {
        var reader = EntryReader(bytes)
        var attributes = AttributeValues(minimumCapacity: 16)
        var group: String?
        var control: AccessControl?
        var publicKeyHash: [UInt8]?
        var hasNoValue = false
        let isKey = columns.itemClass == .key
        while !reader.isAtEnd {
            guard let (attribute, tag, body) = reader.next(),
                let kind = Tag(rawValue: tag),
                let value = decode(kind, body)
            else { return nil }
            switch (attribute, value) {
            case (.accessGroup, .string(let name)): group = name
            case (.accessControl, .accessControl(let found)): control = found
            case (.publicKeyHash, .data(let hash)) where isKey: publicKeyHash = hash
            case (noValue, .number(1)): hasNoValue = true
            case (.accessGroup, _), (.accessControl, _), (noValue, _): return nil
            case (.publicKeyHash, _) where isKey: return nil
            case (.lookupPairs, let value) where !isPairs(value, of: columns): return nil
            default: attributes[attribute] = value
            }
        }
        guard let group else { return nil }
        return PlainItem(
            itemClass: columns.itemClass,
            attributes: attributes,
            accessGroup: group,
            protection: columns.protection,
            accessControl: control,
            isSynchronizable: columns.isSynchronizable,
            isTombstone: columns.isTombstone,
            reference: columns.reference,
            publicKeyHash: publicKeyHash,
            hasNoValue: hasNoValue
        )
    }

    /// Whether a value consists of pairs, and the item's class may have some.
    private static func isPairs(_ value: AttributeValue, of columns: ItemColumns) -> Bool {
        columns.itemClass == .genericPassword && Coercion.coerce(value, to: .pairs) != nil
    }

    private static func decode(
        _ tag: Tag,
        _ body: UnsafeRawBufferPointer
    ) -> AttributeValue? {
        switch tag {
        case .string: text(body).map(AttributeValue.string)
        case .data: .data([UInt8](body))
        case .number: number(body).map { .number(Int64(bitPattern: $0)) }
        case .real: number(body).map { .real(Double(bitPattern: $0)) }
        case .date: number(body).map { .date(Double(bitPattern: $0)) }
        case .accessControl: accessControl(body).map(AttributeValue.accessControl)
        }
    }

    /// Returns nil for invalid UTF-8: decoding repairs it, so the result differs from the bytes.
    private static func text(_ body: UnsafeRawBufferPointer) -> String? {
        let text = String(decoding: body, as: UTF8.self)
        let isASCII = body.allSatisfy { $0 < 0x80 }
        return isASCII || text.utf8.elementsEqual(body) ? text : nil
    }

    private static func number(_ body: UnsafeRawBufferPointer) -> UInt64? {
        guard body.count == 8 else { return nil }
        return UInt64(littleEndian: body.loadUnaligned(as: UInt64.self))
    }

    private static func accessControl(_ body: UnsafeRawBufferPointer) -> AccessControl? {
        guard
            let first = body.first,
            let protection = ProtectionClass(rawValue: first),
            let flags = number(UnsafeRawBufferPointer(rebasing: body.dropFirst()))
        else { return nil }
        return AccessControl(protection: protection, flags: .init(rawValue: flags))
    }
}

/// A reader of the entries of a metadata half.
private struct EntryReader {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    /// Returns the next attribute, its tag and its body; nil if the entry is malformed.
    mutating func next() -> (Attribute, UInt8, UnsafeRawBufferPointer)? {
        guard
            let letters = take(4), letters.isUTF8,
            let tag = take(1)?.first,
            let length = take(4)?.loadUnaligned(as: UInt32.self),
            let body = take(Int(UInt32(littleEndian: length)))
        else { return nil }
        let code = UInt32(bigEndian: letters.loadUnaligned(as: UInt32.self))
        // Four zeros are not the name of an attribute, and would be encoded as none.
        guard code != 0 else { return nil }
        return (Attribute(code: code), tag, body)
    }

    private mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
        guard count <= bytes.count - position, let start = bytes.baseAddress else { return nil }
        defer { position += count }
        return UnsafeRawBufferPointer(start: start + position, count: count)
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the bytes are valid UTF-8; most names are ASCII, which is faster to check.
    fileprivate var isUTF8: Bool {
        allSatisfy { $0 < 0x80 } || String(validating: self, as: UTF8.self) != nil
    }
}
