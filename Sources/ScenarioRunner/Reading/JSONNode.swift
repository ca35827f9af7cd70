import Foundation

/// A JSON value that nobody has interpreted yet.
enum JSONNode: Sendable {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([JSONNode])
    case object([String: JSONNode])
}

extension JSONNode: Decodable {
    static let depthLimit = 32

    init(from decoder: any Decoder) throws {
        guard decoder.codingPath.count < Self.depthLimit else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "more than \(Self.depthLimit) levels")
            )
        }
        if let container = try? decoder.container(keyedBy: AnyKey.self) {
            var members: [String: JSONNode] = [:]
            for key in container.allKeys {
                members[key.stringValue] = try container.decode(JSONNode.self, forKey: key)
            }
            self = .object(members)
        } else if var container = try? decoder.unkeyedContainer() {
            var elements: [JSONNode] = []
            while !container.isAtEnd { elements.append(try container.decode(JSONNode.self)) }
            self = .list(elements)
        } else {
            self = try Self.scalar(try decoder.singleValueContainer())
        }
    }

    private static func scalar(
        _ container: any SingleValueDecodingContainer
    ) throws -> JSONNode {
        if container.decodeNil() { return .null }
        if let flag = try? container.decode(Bool.self) { return .flag(flag) }
        if let number = try? container.decode(Double.self) { return .number(number) }
        return .text(try container.decode(String.self))
    }

    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
