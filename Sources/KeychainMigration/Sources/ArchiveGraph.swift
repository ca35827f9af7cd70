import Foundation

/// The objects of a keyed archive, before any of them is made.
///
/// Foundation's unarchiver trusts an archive's structure: on Linux it crashes where a dictionary
/// has fewer keys than values. So structure and class names are checked first, on the property
/// list that an archive is.
struct ArchiveGraph {
    /// What is wrong with an archive.
    enum Flaw: Error, Hashable, Sendable {
        case damaged
        case unknownClass
    }

    /// The classes that are property list values anyway.
    static var plainClasses: [AnyClass] {
        [
            NSDictionary.self, NSArray.self, NSString.self, NSData.self, NSNumber.self,
            NSDate.self, NSNull.self,
        ]
    }

    private static let uidKey = "CF_UID"
    private static let depthLimit = 64

    private let objects: [Any]
    private let top: Int

    init(_ bytes: Data) throws(Flaw) {
        guard let root = Self.tree(of: bytes) as? [String: Any],
            root["$archiver"] as? String == "NSKeyedArchiver",
            let objects = root["$objects"] as? [Any], objects.first as? String == "$null",
            let top = (root["$top"] as? [String: Any])?[NSKeyedArchiveRootObjectKey],
            let index = Self.index(top), objects.indices.contains(index)
        else { throw .damaged }
        self.objects = objects
        self.top = index
    }

    /// Checks every object that can be reached from the root.
    func validate(allowing names: Set<String>) throws(Flaw) {
        try check(top, names, path: [])
    }

    /// Foundation hides the references of binary archives; its XML shows them as numbers.
    private static func tree(of bytes: Data) -> Any? {
        guard
            let list = try? PropertyListSerialization.propertyList(
                from: bytes,
                options: [],
                format: nil
            ), list is [String: Any],
            let xml = try? PropertyListSerialization.data(
                fromPropertyList: list,
                format: .xml,
                options: 0
            )
        else { return nil }
        let text = String(decoding: xml, as: UTF8.self)
            .replacingOccurrences(of: "<key>CF$UID</key>", with: "<key>\(uidKey)</key>")
        return try? PropertyListSerialization.propertyList(
            from: Data(text.utf8),
            options: [],
            format: nil
        )
    }

    private static func index(_ object: Any) -> Int? {
        guard let dictionary = object as? [String: Any], dictionary.count == 1 else { return nil }
        return (dictionary[uidKey] as? NSNumber)?.intValue
    }

    private func check(_ index: Int, _ names: Set<String>, path: [Int]) throws(Flaw) {
        guard objects.indices.contains(index), path.count < Self.depthLimit,
            !path.contains(index)
        else { throw .damaged }
        guard let instance = objects[index] as? [String: Any] else {
            // Text, numbers and data stand for themselves; a bare array is no object.
            if objects[index] is [Any] { throw .damaged }
            return
        }
        let name = try className(of: instance)
        if let shape = Self.shapes[name] {
            guard shape(instance) else { throw .damaged }
        } else if !names.contains(name) {
            throw .unknownClass
        }
        for child in Self.references(in: instance) {
            try check(child, names, path: path + [index])
        }
    }

    private func className(of instance: [String: Any]) throws(Flaw) -> String {
        guard let reference = instance["$class"].flatMap(Self.index),
            objects.indices.contains(reference),
            let description = objects[reference] as? [String: Any],
            let name = description["$classname"] as? String,
            let ancestors = description["$classes"] as? [String], ancestors.first == name
        else { throw .damaged }
        return name
    }

    /// The objects that an instance refers to, its class left out.
    private static func references(in instance: [String: Any]) -> [Int] {
        instance.filter { $0.key != "$class" }.values.flatMap { value in
            index(value).map { [$0] } ?? (value as? [Any] ?? []).compactMap(index)
        }
    }

    /// What an instance of each plain class has to hold.
    private static let shapes: [String: @Sendable ([String: Any]) -> Bool] = {
        let list: @Sendable ([String: Any]) -> Bool = { isList($0["NS.objects"]) != nil }
        let map: @Sendable ([String: Any]) -> Bool = { instance in
            guard let keys = isList(instance["NS.keys"]) else { return false }
            return keys == isList(instance["NS.objects"])
        }
        let text: @Sendable ([String: Any]) -> Bool = {
            $0["NS.string"] is String || $0["NS.bytes"] is Data
        }
        let data: @Sendable ([String: Any]) -> Bool = { $0["NS.data"] is Data }
        return [
            "NSArray": list, "NSMutableArray": list, "NSDictionary": map,
            "NSMutableDictionary": map, "NSString": text, "NSMutableString": text,
            "NSData": data, "NSMutableData": data,
            "NSDate": { $0["NS.time"] is NSNumber }, "NSNull": { _ in true },
        ]
    }()

    /// The number of references in a list; none of them may be null.
    private static func isList(_ value: Any?) -> Int? {
        guard let list = value as? [Any] else { return nil }
        let indexes = list.compactMap(index)
        return indexes.count == list.count && !indexes.contains(0) ? list.count : nil
    }
}
