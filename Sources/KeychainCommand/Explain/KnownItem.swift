import KeychainMessages
import KeychainModel

/// The attributes of an item in a listing; never its secret.
struct KnownItem: Sendable, Hashable {
    let itemClass: ItemClass
    /// The attributes.
    ///
    /// If the item's class is locked: only the accessibility, and the group if known.
    let attributes: [Attribute: AttributeValue]
    /// The reason why the item stays closed; nil for an item that opens.
    let obstacle: OutOfReachItem.Obstacle?

    init(
        _ itemClass: ItemClass,
        _ attributes: [Attribute: AttributeValue],
        _ obstacle: OutOfReachItem.Obstacle? = nil
    ) {
        self.itemClass = itemClass
        self.attributes = attributes
        self.obstacle = obstacle
    }

    var group: String? { text(.accessGroup) }

    /// The accessibility; nil if it is unknown.
    var protection: ProtectionClass? {
        if let code = text(.accessible) { return ProtectionClass(code: code) }
        return control?.protection
    }

    /// The access control, if it requires anything.
    var control: AccessControl? {
        guard case .accessControl(let control)? = attributes[.accessControl],
            !control.flags.isEmpty
        else { return nil }
        return control
    }

    /// Whether the item is synchronizable; nil if that is unknown.
    var isSynchronizable: Bool? {
        switch attributes[.synchronizable] {
        case .number(let number)?: number != 0
        case .bool(let flag)?: flag
        default: nil
        }
    }

    /// Whether the attributes are readable; those of an item in a locked class are sealed.
    var isReadable: Bool { obstacle != .lockState }

    /// Returns the bytes of text or data; nil for other attributes, and for no bytes.
    func bytes(_ attribute: Attribute) -> [UInt8]? {
        let bytes = attributes[attribute].flatMap(DiagnosisFacts.bytes)
        return bytes?.isEmpty == false ? bytes : nil
    }

    /// Whether the item is a private key.
    var isPrivateKey: Bool {
        itemClass == .key && attributes[.keyClass] == .number(KeyTypeName.privateClass)
    }

    func text(_ attribute: Attribute) -> String? {
        if case .string(let text)? = attributes[attribute] { text } else { nil }
    }
}

extension KnownItem {
    /// Returns the class in words, such as `generic password`.
    static func noun(_ itemClass: ItemClass) -> String {
        switch itemClass {
        case .genericPassword: "generic password"
        case .internetPassword: "internet password"
        case .certificate: "certificate"
        case .key: "key"
        case .identity: "identity"
        }
    }

    /// ★ Table: the attributes that identify an item, and the words for them.
    private static let naming: [(attribute: Attribute, word: String)] = [
        (.account, "account"), (.service, "service"), (.server, "server"), (.port, "port"),
        (.path, "path"), (.label, "label"), (.applicationTag, "tag"),
    ]

    /// Returns a name from the attributes, such as `generic password, account alice, service mail`.
    static func words(
        _ itemClass: ItemClass,
        _ attributes: [Attribute: AttributeValue]
    ) -> String {
        let names = naming.compactMap { row -> String? in
            switch attributes[row.attribute] {
            case .string(let text)? where !text.isEmpty: "\(row.word) \(text)"
            case .number(let number)? where number != 0: "\(row.word) \(number)"
            case .data(let bytes)? where !bytes.isEmpty:
                "\(row.word) \(String(validating: bytes, as: UTF8.self) ?? "of other bytes")"
            default: nil
            }
        }
        let before = itemClass == .key ? keyWords(attributes) : ""
        return ([before + noun(itemClass)] + names).joined(separator: ", ")
    }

    /// Returns the words before "key", such as `private EC `.
    private static func keyWords(_ attributes: [Attribute: AttributeValue]) -> String {
        let keyClass = number(attributes[.keyClass]).flatMap(KeyTypeName.keyClass)
        let type = keyClass.flatMap { _ in number(attributes[.type]).flatMap(KeyTypeName.type) }
        return [keyClass, type].compactMap { $0 }.map { $0 + " " }.joined()
    }

    private static func number(_ value: AttributeValue?) -> Int64? {
        if case .number(let number)? = value { number } else { nil }
    }

    /// The class, the identifying attributes and the group.
    var words: String {
        Self.words(itemClass, attributes) + (group.map { ", in group \($0)" } ?? "")
    }
}

extension ItemClass {
    /// Whether the items of this class are passwords.
    var isPassword: Bool { self == .genericPassword || self == .internetPassword }
}
