import Foundation

/// The place of a value in nested dictionaries and arrays, such as `accounts.0.token`.
///
/// A full stop separates components. Write `\.` for a full stop within a component, and `\\` for a
/// backslash. In an array, a component is an index.
///
/// ```swift
/// let path = ValuePath(["accounts", "0", "token"])
/// print(path.text)  // accounts.0.token
/// ```
public struct ValuePath: Hashable, Sendable {
    /// The keys and indexes, outermost first.
    public let components: [String]

    /// Creates a path from keys and indexes.
    public init(_ components: [String]) { self.components = components }

    /// Reads a path from its text form.
    public init(text: String) {
        var components = [""]
        var isEscaped = false
        for character in text {
            if isEscaped || (character != "\\" && character != ".") {
                components[components.count - 1].append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                components.append("")
            }
        }
        self.components = components
    }

    /// The text form, which a source accepts as a key.
    public var text: String {
        components
            .map { component in
                component.replacingOccurrences(of: "\\", with: "\\\\")
                    .replacingOccurrences(of: ".", with: "\\.")
            }
            .joined(separator: ".")
    }

    func appending(_ component: String) -> ValuePath { ValuePath(components + [component]) }
}

/// Nested dictionaries and arrays, in the form of Foundation's serializations.
enum PlainTree {
    /// Returns the value at a path; nil if there is none.
    static func value(at path: some Collection<String>, in tree: Any) -> Any? {
        guard let first = path.first else { return tree }
        return child(first, of: tree).flatMap { value(at: path.dropFirst(), in: $0) }
    }

    /// Returns the tree without the value at a path.
    ///
    /// In an array, an empty text replaces the value.
    ///
    /// Otherwise the names of the elements after it would change.
    static func removing(_ path: some Collection<String>, from tree: Any) -> Any {
        guard let first = path.first else { return tree }
        let rest = path.dropFirst()
        if var dictionary = tree as? [String: Any] {
            guard let child = dictionary[first] else { return tree }
            dictionary[first] = rest.isEmpty ? nil : removing(rest, from: child)
            return dictionary
        }
        if var array = tree as? [Any] {
            guard let index = Int(first), array.indices.contains(index) else { return tree }
            array[index] = rest.isEmpty ? "" : removing(rest, from: array[index])
            return array
        }
        return tree
    }

    /// Returns the tree with a removed value put back; nil if its place is gone.
    static func inserting(_ value: Any, at path: some Collection<String>, in tree: Any) -> Any? {
        guard let first = path.first else { return value }
        let rest = path.dropFirst()
        if var dictionary = tree as? [String: Any] {
            guard !rest.isEmpty else {
                guard dictionary[first] == nil else { return nil }
                dictionary[first] = value
                return dictionary
            }
            guard let child = dictionary[first], let grown = inserting(value, at: rest, in: child)
            else { return nil }
            dictionary[first] = grown
            return dictionary
        }
        guard var array = tree as? [Any], let index = Int(first), array.indices.contains(index)
        else { return nil }
        // In an array, an empty text marks a removed value.
        guard !rest.isEmpty || (array[index] as? String)?.isEmpty ?? false,
            let grown = inserting(value, at: rest, in: array[index])
        else { return nil }
        array[index] = grown
        return array
    }

    /// Returns every value that is neither a dictionary nor an array, with its path, in a stable
    /// order.
    static func leaves(of tree: Any, at path: ValuePath = ValuePath([])) -> [(ValuePath, Any)] {
        if let dictionary = tree as? [String: Any] {
            return dictionary.sorted { $0.key < $1.key }.flatMap { key, value in
                leaves(of: value, at: path.appending(key))
            }
        }
        if let array = tree as? [Any] {
            return array.enumerated().flatMap { index, value in
                leaves(of: value, at: path.appending(String(index)))
            }
        }
        return [(path, tree)]
    }

    private static func child(_ name: String, of tree: Any) -> Any? {
        if let dictionary = tree as? [String: Any] { return dictionary[name] }
        guard let array = tree as? [Any], let index = Int(name), array.indices.contains(index)
        else { return nil }
        // The empty text that a removal leaves in an array does not count as a value.
        return (array[index] as? String)?.isEmpty ?? false ? nil : array[index]
    }
}

/// The conversion of a value to a secret.
enum PlainValue {
    /// Returns the secret of a value; nil for null.
    ///
    /// Text becomes UTF-8, data stays the same, numbers and truth values become text, and dates ISO
    /// 8601. A dictionary or array becomes a binary property list.
    static func secret(of value: Any, named key: String) throws(SourceFailure) -> SecretBytes? {
        switch value {
        case is NSNull: return nil
        case let text as String: return SecretBytes(text)
        case let date as Date: return SecretBytes(ISO8601DateFormatter().string(from: date))
        case let number as NSNumber: return SecretBytes(text(of: number))
        case let data as Data: return SecretBytes(data)
        default: return try serialized(value, named: key)
        }
    }

    private static func text(of number: NSNumber) -> String {
        let isTruth = String(cString: number.objCType) == "c"
        return isTruth ? (number.boolValue ? "true" : "false") : number.stringValue
    }

    private static func serialized(
        _ value: Any,
        named key: String
    ) throws(SourceFailure) -> SecretBytes {
        guard PropertyListSerialization.propertyList(value, isValidFor: .binary),
            let bytes = try? PropertyListSerialization.data(
                fromPropertyList: value,
                format: .binary,
                options: 0
            )
        else { throw SourceFailure(.unsupportedValue, key) }
        return SecretBytes(bytes)
    }
}
