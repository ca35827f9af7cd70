import Foundation

/// ★ What SARIF 2.1.0 demands of the objects that the linter writes (sections 3.13 to 3.58).
///
/// Each has the members that the linter writes, and those that the standard requires. It lets no
/// object have another member, so a new one has to be looked up in the standard and put here.
/// `sarif.sh` validates a report with the published schema.
enum SARIFShape {
    indirect enum Value: Sendable {
        case text
        case words(Set<String>)
        case number(from: Int)
        case flag
        case list(Value)
        case object(String)
        /// Members of any name.
        case texts
        /// A property bag: any value, but `tags` are texts.
        case bag
    }

    struct Object: Sendable {
        let required: Set<String>
        let members: [String: Value]
    }

    private static let levels = Value.words(["none", "note", "warning", "error"])
    private static let column = Value.number(from: 1)

    static let objects: [String: Object] = [
        "log": Object(
            required: ["version", "runs"],
            members: [
                "$schema": .text, "version": .words(["2.1.0"]), "runs": .list(.object("run")),
            ]
        ),
        "run": Object(
            required: ["tool"],
            members: [
                "tool": .object("tool"), "results": .list(.object("result")), "properties": .bag,
                "columnKind": .words(["utf16CodeUnits", "unicodeCodePoints"]),
                "invocations": .list(.object("invocation")),
            ]
        ),
        "tool": Object(required: ["driver"], members: ["driver": .object("component")]),
        "component": Object(
            required: ["name"],
            members: ["name": .text, "semanticVersion": .text, "rules": .list(.object("rule"))]
        ),
        "rule": Object(
            required: ["id"],
            members: [
                "id": .text, "name": .text, "shortDescription": .object("message"),
                "help": .object("message"), "defaultConfiguration": .object("configuration"),
                "properties": .bag,
            ]
        ),
        "configuration": Object(required: [], members: ["level": levels, "enabled": .flag]),
        // Of a result, either text or an id; of a rule, text.
        "message": Object(required: ["text"], members: ["text": .text]),
        "result": Object(
            required: ["message"],
            members: [
                "ruleId": .text, "ruleIndex": .number(from: 0), "level": levels,
                "message": .object("message"), "locations": .list(.object("location")),
                "relatedLocations": .list(.object("location")), "partialFingerprints": .texts,
                "suppressions": .list(.object("suppression")),
            ]
        ),
        "location": Object(
            required: [],
            members: [
                "id": .number(from: 0), "message": .object("message"),
                "physicalLocation": .object("physicalLocation"),
            ]
        ),
        // The standard lets an address stand in for the artifact.
        "physicalLocation": Object(
            required: ["artifactLocation"],
            members: ["artifactLocation": .object("artifact"), "region": .object("region")]
        ),
        "artifact": Object(required: [], members: ["uri": .text]),
        "region": Object(
            required: ["startLine"],
            members: [
                "startLine": column, "startColumn": column, "endLine": column, "endColumn": column,
            ]
        ),
        "suppression": Object(
            required: ["kind"],
            members: ["kind": .words(["inSource", "external"]), "justification": .text]
        ),
        "invocation": Object(
            required: ["executionSuccessful"],
            members: [
                "executionSuccessful": .flag,
                "toolExecutionNotifications": .list(.object("notification")),
            ]
        ),
        "notification": Object(
            required: ["message"],
            members: ["level": levels, "message": .object("message")]
        ),
    ]

    /// The places where a document departs from the standard.
    static func faults(in document: Any, as shape: Value = .object("log"), at place: String = "")
        -> [String]
    {
        switch shape {
        case .text: return document is String ? [] : ["\(place): no text"]
        case .words(let words):
            return words.contains(document as? String ?? "") ? [] : ["\(place): \(document)"]
        case .number(let least):
            return (document as? Int ?? .min) >= least ? [] : ["\(place): \(document)"]
        case .flag: return document is Bool ? [] : ["\(place): neither true nor false"]
        case .texts: return document is [String: String] ? [] : ["\(place): other than texts"]
        case .bag:
            guard let bag = document as? [String: Any] else { return ["\(place): no object"] }
            return bag["tags"] == nil || bag["tags"] is [String] ? [] : ["\(place): tags"]
        case .list(let element):
            guard let list = document as? [Any] else { return ["\(place): no list"] }
            return list.enumerated().flatMap {
                faults(in: $1, as: element, at: "\(place)[\($0)]")
            }
        case .object(let name):
            guard let object = document as? [String: Any], let shape = objects[name] else {
                return ["\(place): no \(name)"]
            }
            let missing = shape.required.subtracting(object.keys).sorted()
                .map { "\(place).\($0): missing" }
            return missing
                + object.flatMap { key, value -> [String] in
                    guard let member = shape.members[key] else {
                        return ["\(place).\(key): not in the standard"]
                    }
                    return faults(in: value, as: member, at: "\(place).\(key)")
                }
        }
    }
}
