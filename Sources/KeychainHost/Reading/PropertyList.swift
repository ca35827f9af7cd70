/// A property list, restricted to the values in entitlements and names of bundles.
///
/// It reads the same of Apple's two forms as Foundation's decoder. Foundation would be a quarter of
/// the command, and most of the loader's work before the command starts.
enum PropertyList: Hashable, Sendable {
    case text(String)
    case list([PropertyList])
    case entries([String: PropertyList])
    /// A number, a date, data or a truth value, which is not needed here.
    case other

    /// The bytes are not a list, or a value has the wrong type.
    struct Damage: Error {}

    /// The deepest nesting of lists.
    static let depthLimit = 64

    /// Reads a list in XML, encoded as UTF-8, or in Apple's binary form.
    init(_ bytes: [UInt8]) throws(Damage) {
        if bytes.starts(with: BinaryList.signature) {
            var list = try BinaryList(bytes)
            self = try list.read()
        } else {
            var markup = MarkupList(bytes)
            self = try markup.read()
        }
    }

    /// Returns the text of a key; nil if there is no such key.
    ///
    /// - Throws: `Damage` for another type of value, and for a list without keys.
    func text(of key: String) throws(Damage) -> String? {
        guard let value = try value(of: key) else { return nil }
        return try value.text()
    }

    /// Returns the texts of a key; nil if there is no such key.
    ///
    /// - Throws: `Damage` for another type of value, and for a list without keys.
    func texts(of key: String) throws(Damage) -> [String]? {
        guard let value = try value(of: key) else { return nil }
        guard case .list(let values) = value else { throw Damage() }
        return try values.map { value throws(Damage) in try value.text() }
    }

    private func value(of key: String) throws(Damage) -> PropertyList? {
        guard case .entries(let entries) = self else { throw Damage() }
        return entries[key]
    }

    private func text() throws(Damage) -> String {
        guard case .text(let text) = self else { throw Damage() }
        return text
    }
}
