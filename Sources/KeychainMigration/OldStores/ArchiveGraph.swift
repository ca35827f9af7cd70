import Foundation

/// An object of one of the program's own classes in an archive.
///
/// ```swift
/// let classes: [String: @Sendable (ArchivedObject) throws -> Any] = [
///     "MyApp.Session": { session in ["token": session.text("token") ?? ""] }
/// ]
/// ```
public struct ArchivedObject {
    /// The name of the class in the archive, such as `MyApp.Session`.
    public let className: String
    /// The encoded fields by key: text, numbers, data, dates, arrays and dictionaries.
    public let fields: [String: Any]

    /// Returns the text under a key, or nil if it is missing or not text.
    public func text(_ key: String) -> String? { fields[key] as? String }
    /// Returns the data under a key, or nil if it is missing or not data.
    public func data(_ key: String) -> Data? { fields[key] as? Data }
}

/// The objects of a keyed archive as plain values.
///
/// Foundation's unarchiver trusts an archive's structure: on Linux it ends the process if a
/// dictionary has fewer values than keys. This type reads an archive as a property list. Objects of
/// Foundation's plain classes become Swift values. Other classes must be allowed by name. Any
/// malformed structure is an error.
/// - Source: Documentation/Spec/migration.md §5.
struct ArchiveGraph {
    /// A fault in an archive.
    enum Flaw: Error, Hashable, Sendable {
        case damaged
        case unknownClass
    }

    /// Makes a value from an object of an allowed class.
    typealias Maker = @Sendable (ArchivedObject) throws -> Any

    private static let uidKey = "CF_UID"
    private static let depthLimit = 64
    private static let visitLimit = 100_000

    private let objects: [Any]
    private let top: Int
    private let makers: [String: Maker]
    private var visits = 0

    init(_ bytes: Data, makers: [String: Maker]) throws(Flaw) {
        guard let root = Self.tree(of: bytes) as? [String: Any],
            root["$archiver"] as? String == "NSKeyedArchiver",
            let objects = root["$objects"] as? [Any], objects.first as? String == "$null",
            let top = (root["$top"] as? [String: Any])?["root"], let index = Self.index(top),
            index > 0
        else { throw .damaged }
        self.objects = objects
        self.top = index
        self.makers = makers
    }

    /// Returns the root object with everything in it.
    mutating func root() throws(Flaw) -> Any { try object(top, path: []) }

    /// Returns the tree of a binary or XML archive.
    ///
    /// In XML, a reference is a dictionary with one number.
    private static func tree(of bytes: Data) -> Any? {
        guard !bytes.starts(with: BinaryPropertyList.signature) else {
            return PropertyListText.read(bytes)?.root
        }
        // Foundation would turn references into opaque objects. With another key, they stay
        // numbers.
        let text = String(decoding: bytes, as: UTF8.self)
            .replacingOccurrences(of: "<key>CF$UID</key>", with: "<key>\(uidKey)</key>")
        return PropertyListText.read(Data(text.utf8))?.root
    }

    private static func index(_ object: Any) -> Int? {
        if let reference = object as? BinaryPropertyList.Reference { return reference.index }
        guard let dictionary = object as? [String: Any], dictionary.count == 1 else { return nil }
        return (dictionary[uidKey] as? NSNumber)?.intValue
    }

    private mutating func object(_ index: Int, path: [Int]) throws(Flaw) -> Any {
        visits += 1
        guard objects.indices.contains(index), path.count < Self.depthLimit,
            visits < Self.visitLimit, !path.contains(index)
        else { throw .damaged }
        if index == 0 { return NSNull() }
        guard let instance = objects[index] as? [String: Any] else {
            // Text, numbers and data need no decoding; a bare array is not an object.
            guard !(objects[index] is [Any]), Self.index(objects[index]) == nil else {
                throw .damaged
            }
            return objects[index]
        }
        let name = try className(of: instance)
        return try made(instance, name, path: path + [index])
    }

    private func className(of instance: [String: Any]) throws(Flaw) -> String {
        guard let reference = instance["$class"].flatMap(Self.index),
            objects.indices.contains(reference),
            let description = objects[reference] as? [String: Any],
            let name = description["$classname"] as? String
        else { throw .damaged }
        return name
    }

    private mutating func made(
        _ instance: [String: Any],
        _ name: String,
        path: [Int]
    ) throws(Flaw) -> Any {
        switch name {
        case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet":
            return try list(instance["NS.objects"], path: path)
        case "NSDictionary", "NSMutableDictionary": return try dictionary(instance, path: path)
        case "NSString", "NSMutableString": return try require(instance["NS.string"] as? String)
        case "NSData", "NSMutableData": return try require(instance["NS.data"] as? Data)
        case "NSDate":
            let time = try require(instance["NS.time"] as? NSNumber)
            return Date(timeIntervalSinceReferenceDate: time.doubleValue)
        case "NSURL":
            return try object(try require(instance["NS.relative"].flatMap(Self.index)), path: path)
        case "NSUUID":
            return try uuid(try require(instance["NS.uuidbytes"] as? Data))
        case "NSNull": return NSNull()
        default: return try custom(instance, name, path: path)
        }
    }

    private func require<Value>(_ value: Value?) throws(Flaw) -> Value {
        guard let value else { throw .damaged }
        return value
    }

    private mutating func list(_ value: Any?, path: [Int]) throws(Flaw) -> [Any] {
        var elements: [Any] = []
        for reference in try require(value as? [Any]) {
            elements.append(try object(try require(Self.index(reference)), path: path))
        }
        return elements
    }

    private mutating func dictionary(
        _ instance: [String: Any],
        path: [Int]
    ) throws(Flaw) -> [String: Any] {
        let keys = try list(instance["NS.keys"], path: path)
        let values = try list(instance["NS.objects"], path: path)
        guard keys.count == values.count else { throw .damaged }
        var entries: [String: Any] = [:]
        for (key, value) in zip(keys, values) {
            entries[try require(key as? String)] = value
        }
        guard entries.count == keys.count else { throw .damaged }
        return entries
    }

    private func uuid(_ bytes: Data) throws(Flaw) -> String {
        guard bytes.count == 16 else { throw .damaged }
        let hex = bytes.map { String(format: "%02X", $0) }
        return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16]
            .map { hex[$0].joined() }
            .joined(separator: "-")
    }

    private mutating func custom(
        _ instance: [String: Any],
        _ name: String,
        path: [Int]
    ) throws(Flaw) -> Any {
        guard let maker = makers[name] else { throw .unknownClass }
        var fields: [String: Any] = [:]
        for (key, value) in instance where key != "$class" {
            guard let reference = Self.index(value) else {
                // Numbers are encoded in place, without a reference.
                fields[key] = value
                continue
            }
            let field = try object(reference, path: path)
            if !(field is NSNull) { fields[key] = field }
        }
        guard let made = try? maker(ArchivedObject(className: name, fields: fields)) else {
            throw .damaged
        }
        return made
    }
}
