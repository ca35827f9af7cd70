import KeychainModel
import Secrets

/// An item in the form of macOS's `security`, which scripts parse.
struct ItemDump {
    /// Attributes that macOS writes as a number instead of four letters.
    private static let numericTags: [Attribute: String] = [
        .label: "0x00000007 ", .alias: "0x00000008 ",
    ]

    /// Numbers that macOS prints as unsigned; also the ones that may be four letters.
    private static let unsigned: Set<Attribute> = [.creator, .type, .port, .protocolName]

    /// The location of the keychain.
    let location: String

    /// Returns all attributes of the item's class, with `<NULL>` for absent ones.
    func page(of item: ItemDictionary, _ itemClass: ItemClass) -> Page {
        var page = Page()
        page.append(line: "keychain: \"\(location)\"")
        page.append(line: "version: 512")
        page.append(line: "class: \(Self.className(of: item, itemClass))")
        page.append(line: "attributes:")
        for spec in Self.ordered(itemClass) {
            page.append(line: "    " + Self.line(spec, item.attributes[spec.attribute]))
        }
        return page
    }

    /// Returns four letters for passwords, and macOS's number with a space for other classes.
    private static func className(of item: ItemDictionary, _ itemClass: ItemClass) -> String {
        switch (itemClass, item.attributes[.keyClass]) {
        case (.certificate, _): "0x80001000 "
        case (.key, .number(0)): "0x0000000F "
        case (.key, .number(1)): "0x00000010 "
        case (.key, .number(2)): "0x00000011 "
        default: "\"\(itemClass.rawValue)\""
        }
    }

    /// Returns the lines with the data, which follow the attributes.
    static func dataPage(_ secret: borrowing Secret) -> Page {
        var page = Page(line: "data:")
        page.append(ByteRule.dump.secret(of: secret))
        page.append(raw: "\n")
        return page
    }

    /// Returns the attributes in order: numeric tags first, then four letters.
    private static func ordered(_ itemClass: ItemClass) -> [AttributeSpec] {
        let shown = Schema.specs(of: itemClass).filter { !$0.attribute.isBookkeeping }
        let numeric = shown.filter { numericTags[$0.attribute] != nil }
        return numeric.sorted { tag(of: $0) < tag(of: $1) }
            + shown.filter { numericTags[$0.attribute] == nil }
    }

    private static func line(_ spec: AttributeSpec, _ value: AttributeValue?) -> String {
        "\(tag(of: spec))<\(typeName(of: spec))>=\(text(of: value))"
    }

    private static func tag(of spec: AttributeSpec) -> String {
        numericTags[spec.attribute] ?? "\"\(spec.attribute.rawValue)\""
    }

    private static func typeName(of spec: AttributeSpec) -> String {
        switch spec.kind {
        case .date: "timedate"
        case .number: unsigned.contains(spec.attribute) ? "uint32" : "sint32"
        default: "blob"
        }
    }

    private static func text(of value: AttributeValue?) -> String {
        switch value {
        // Attributes that a macOS keychain lacks are empty here.
        case .string(""), .data([]): "<NULL>"
        case .string(let text): ByteRule.dump.text(of: Array(text.utf8))
        case .data(let bytes): ByteRule.dump.text(of: bytes)
        case .number(let number): self.text(of: number)
        case .bool(let flag): self.text(of: flag ? 1 : 0)
        case .date(let seconds): date(seconds)
        case .accessControl(let control) where !control.flags.isEmpty:
            "\"\(AccessControlText.text(of: control))\""
        default: "<NULL>"
        }
    }

    /// Returns the four bytes of a number, as macOS writes them.
    private static func text(of number: Int64) -> String {
        let code = UInt32(truncatingIfNeeded: number)
        return ByteRule.dump.text(
            of: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }
        )
    }

    /// Returns a date as macOS dumps it: as text, including its final zero byte.
    private static func date(_ seconds: Double) -> String {
        guard let timestamp = Timestamp(secondsSinceReference: seconds) else { return "<NULL>" }
        return ByteRule.dump.text(of: Array(timestamp.compact.utf8) + [0])
    }
}
