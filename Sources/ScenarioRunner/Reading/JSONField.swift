import JSON

/// A JSON value with its path in a scenario file, so that every error can name it.
struct JSONField: Sendable {
    let node: JSONTree<Never>
    let path: String
    let file: String

    func error(_ reason: String) -> ScenarioError {
        ScenarioError(file: file, path: path, reason: reason)
    }
}

// Conversions of values.
extension JSONField {
    var isNull: Bool { if case .null = node { true } else { false } }

    /// Returns a text that is not empty and has at most `limit` characters.
    func text(limit: Int = ScenarioLimits.text) throws(ScenarioError) -> String {
        guard case .text(let text) = node else { throw error("a text is expected") }
        guard !text.isEmpty else { throw error("the text is empty") }
        guard text.count <= limit else { throw error("more than \(limit) characters") }
        return text
    }

    func textOrNull() throws(ScenarioError) -> String? { isNull ? nil : try text() }

    func flag() throws(ScenarioError) -> Bool {
        guard case .flag(let flag) = node else { throw error("true or false is expected") }
        return flag
    }

    func seconds() throws(ScenarioError) -> Double {
        guard let number = node.double else {
            throw error("a number of seconds is expected")
        }
        guard (0...ScenarioLimits.seconds).contains(number) else {
            throw error("seconds are from 0 to 1000000000")
        }
        return number
    }

    /// Returns the value that the table has for a word.
    func choice<Value>(_ table: [(name: String, value: Value)]) throws(ScenarioError) -> Value {
        let word = try text()
        guard let row = table.first(where: { $0.name == word }) else {
            throw error("one of \(table.map(\.name).joined(separator: ", ")) is expected")
        }
        return row.value
    }

    func choice<Value>(
        of type: Value.Type = Value.self
    ) throws(ScenarioError) -> Value
    where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
        try choice(Value.allCases.map { ($0.rawValue, $0) })
    }

    func elements(limit: Int) throws(ScenarioError) -> [JSONField] {
        guard case .list(let nodes) = node else { throw error("a list is expected") }
        guard nodes.count <= limit else { throw error("more than \(limit) entries") }
        return nodes.enumerated().map { index, node in
            JSONField(node: node, path: "\(path)[\(index)]", file: file)
        }
    }

    func texts() throws(ScenarioError) -> [String] {
        var texts: [String] = []
        for element in try elements(limit: ScenarioLimits.list) { texts.append(try element.text()) }
        return texts
    }
}

/// The limits of a scenario file.
enum ScenarioLimits {
    static let byteCount = 1 << 20
    static let depth = 32
    static let text = 256
    static let longText = 4096
    static let list = 16
    static let seconds = 1e9
    static let devices = 4
    static let apps = 16
    static let items = 32
    static let files = 32
    static let events = 500
}

/// A JSON object with known keys only.
struct JSONObject {
    private let members: [String: JSONTree<Never>]
    private let field: JSONField

    /// Checks the object's keys.
    ///
    /// - Throws: `ScenarioError` if the value is not an object, or has an unknown key.
    init(_ field: JSONField, keys: [String]) throws(ScenarioError) {
        guard case .object(let members) = field.node else {
            throw field.error("an object is expected")
        }
        self.members = members
        self.field = field
        guard let unknown = members.keys.sorted().first(where: { !keys.contains($0) }) else {
            return
        }
        let shown = JSONField.quoted(unknown)
        throw field.error("the key \(shown) is unknown; known are \(keys.joined(separator: ", "))")
    }

    /// Returns the value of a key; nil if the key is missing.
    subscript(key: String) -> JSONField? {
        members[key].map { node in
            let path = field.path.isEmpty ? key : "\(field.path).\(key)"
            return JSONField(node: node, path: path, file: field.file)
        }
    }

    /// Returns the value of a required key.
    func required(_ key: String) throws(ScenarioError) -> JSONField {
        guard let value = self[key] else { throw field.error("the key \(key) is missing") }
        return value
    }

    func text(_ key: String, default usual: String) throws(ScenarioError) -> String {
        try self[key]?.text() ?? usual
    }
}

extension JSONField {
    /// Returns a name from the file in quotation marks, shortened and on one line.
    static func quoted(_ name: String) -> String {
        let visible = name.prefix(40).map { $0.isNewline || $0 < " " ? "�" : String($0) }
        return "'" + visible.joined() + (name.count > 40 ? "…'" : "'")
    }
}
