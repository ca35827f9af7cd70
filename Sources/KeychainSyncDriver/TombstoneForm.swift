import KeychainMessages
import KeychainModel
import KeychainSync

/// The content of a future tombstone of an item: class, protection class, primary key and dates.
///
/// The records keep one for every item, because an item that is deleted while its class key is
/// unavailable leaves nothing behind.
struct TombstoneForm: Sendable, Hashable {
    let classLetters: String
    let protection: UInt8
    /// The attributes in the encoding of item.md §4.
    let attributes: [UInt8]

    init(classLetters: String, protection: UInt8, attributes: [UInt8]) {
        self.classLetters = classLetters
        self.protection = protection
        self.attributes = attributes
    }

    /// Takes the form from an item; nil if the class or the encoding of the attributes is unknown.
    init?(of content: ItemContent) {
        guard let itemClass = ItemClass(rawValue: content.classLetters),
            let entries = AttributeEntry.read(content.attributes)
        else { return nil }
        let kept = Set(
            (Schema.primaryKey(of: itemClass) + [.accessGroup, .creationDate, .modificationDate])
                .map { Array($0.rawValue.utf8) }
        )
        classLetters = content.classLetters
        protection = content.protection
        attributes = entries.filter { kept.contains($0.letters) }.flatMap(\.bytes)
    }

    /// Returns the tombstone of a deletion at a time in seconds since 2001.
    func tombstone(at seconds: Double) -> ItemContent {
        let letters = Array(Attribute.modificationDate.rawValue.utf8)
        let entries = AttributeEntry.read(attributes) ?? []
        let dated = entries.map { entry in
            entry.letters == letters ? entry.dated(seconds) : entry
        }
        return ItemContent(
            classLetters: classLetters,
            protection: protection,
            isTombstone: true,
            attributes: dated.flatMap(\.bytes),
            value: nil
        )
    }
}

/// One attribute as item.md §4 encodes it: letters (4) ‖ tag (1) ‖ byte count (4, little-endian).
private struct AttributeEntry: Sendable {
    private static let headByteCount = 9

    let letters: [UInt8]
    let bytes: [UInt8]

    /// Splits encoded attributes into entries; nil if the encoding is damaged.
    static func read(_ bytes: [UInt8]) -> [AttributeEntry]? {
        var entries: [AttributeEntry] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            guard rest.count >= headByteCount else { return nil }
            let head = Array(rest.prefix(headByteCount))
            let count = head[5...].reversed().reduce(0) { $0 << 8 | Int($1) }
            guard rest.count - headByteCount >= count else { return nil }
            entries.append(
                AttributeEntry(
                    letters: Array(head.prefix(4)),
                    bytes: Array(rest.prefix(headByteCount + count))
                )
            )
            rest = rest.dropFirst(headByteCount + count)
        }
        return entries
    }

    func dated(_ seconds: Double) -> AttributeEntry {
        AttributeEntry(
            letters: letters,
            bytes: Array(bytes.prefix(Self.headByteCount))
                + Coercion.littleEndian(seconds.bitPattern)
        )
    }
}
