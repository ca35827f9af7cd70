/// A key that occurs twice in one JSON object.
package struct RepeatedJSONKey: Sendable, Equatable {
    /// The path of the object, such as `events[2].expect`; empty for the outermost one.
    package let path: String
    package let key: String
    /// The line of the second occurrence, counted from 1.
    package let line: Int
}

extension JSONText {
    /// The first key that occurs twice in one object; most parsers silently keep one of the values.
    package var repeatedKey: RepeatedJSONKey? { repeatedKey(in: root, at: "") }

    private func repeatedKey(in node: Node, at path: String) -> RepeatedJSONKey? {
        switch node.content {
        case .string, .word: nil
        case .array(let elements):
            elements.enumerated().lazy
                .compactMap { repeatedKey(in: $1, at: "\(path)[\($0)]") }.first
        case .object(let members): repeatedKey(among: members, at: path)
        }
    }

    private func repeatedKey(among members: [Member], at path: String) -> RepeatedJSONKey? {
        var known = Set<String>()
        for member in members {
            guard known.insert(member.key).inserted else {
                return RepeatedJSONKey(path: path, key: member.key, line: line(of: member))
            }
            let place = path.isEmpty ? member.key : "\(path).\(member.key)"
            if let inside = repeatedKey(in: member.value, at: place) { return inside }
        }
        return nil
    }
}
