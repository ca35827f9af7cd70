/// An object of the service, identified by its path.
///
/// - Source: Documentation/Spec/secret-service.md §1.
package enum ObjectPath: Sendable, Hashable {
    case service
    case collection(String)
    case item(ItemName)
    case session(UInt64)
    case prompt(UInt64)
    /// A collection, identified by an alias.
    case alias(String)
    /// An item, identified by an alias and its name.
    case aliasedItem(alias: String, item: String)

    package static let root = "/org/freedesktop/secrets"
    /// The path that means "no object" in replies.
    package static let none = "/"

    /// Parses a path; nil if no object can have it.
    package init?(_ path: String, limit: Int = ServiceLimits().pathByteCount) {
        guard path.utf8.count <= limit, path.hasPrefix(Self.root) else { return nil }
        let rest = path.dropFirst(Self.root.count)
        guard !rest.isEmpty else {
            self = .service
            return
        }
        let parts = rest.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard rest.first == "/", parts.allSatisfy(Self.isElement) else { return nil }
        let words = parts.map(String.init)
        switch (words.first, words.count) {
        case ("collection"?, 2): self = .collection(words[1])
        case ("collection"?, 3): self = .item(ItemName(collection: words[1], identifier: words[2]))
        case ("aliases"?, 2): self = .alias(words[1])
        case ("aliases"?, 3): self = .aliasedItem(alias: words[1], item: words[2])
        case ("session"?, 2): self.init(.session, words[1])
        case ("prompt"?, 2): self.init(.prompt, words[1])
        default: return nil
        }
    }

    private enum Numbered { case session, prompt }

    private init?(_ kind: Numbered, _ digits: String) {
        guard let number = UInt64(digits), String(number) == digits else { return nil }
        self = kind == .session ? .session(number) : .prompt(number)
    }

    private static func isElement(_ part: Substring) -> Bool {
        !part.isEmpty && part.utf8.allSatisfy(isElement)
    }

    /// Whether D-Bus permits a byte in an element of a path.
    static func isElement(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Whether parsing the object's path gives the same object.
    package var isValid: Bool { ObjectPath(text) == self }

    package var text: String {
        switch self {
        case .service: Self.root
        case .collection(let name): "\(Self.root)/collection/\(name)"
        case .item(let item): "\(Self.root)/collection/\(item.collection)/\(item.identifier)"
        case .session(let number): "\(Self.root)/session/\(number)"
        case .prompt(let number): "\(Self.root)/prompt/\(number)"
        case .alias(let name): "\(Self.root)/aliases/\(name)"
        case .aliasedItem(let alias, let item): "\(Self.root)/aliases/\(alias)/\(item)"
        }
    }
}

/// The name of an item, with its collection.
package struct ItemName: Sendable, Hashable {
    package let collection: String
    /// The name: letters, digits and `_`.
    package let identifier: String

    package init(collection: String, identifier: String) {
        self.collection = collection
        self.identifier = identifier
    }

    var path: String { ObjectPath.item(self).text }
}
