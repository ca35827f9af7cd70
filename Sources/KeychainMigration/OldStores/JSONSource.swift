import Foundation

/// Values in a JSON file by their path, such as `accounts.0.token`.
///
/// Deleting replaces the value with `null`; every other byte of the file remains.
///
/// ```swift
/// let old = JSONSource(file: PlainFile(settings))
/// let move = Move("accounts.0.token", from: old, to: token)
/// ```
public struct JSONSource: LegacySource {
    private let store: NamedFile
    private var file: PlainFile { store.file }

    /// The name of the file in reports and in the journal.
    public var name: String { store.name }

    /// Whether a missing value really does not exist.
    public var trust: SourceTrust { store.trust() }

    /// Creates a source from a file; without a name, it has the file's name.
    public init(
        file: PlainFile,
        name: String? = nil,
        trust: @escaping @Sendable () -> SourceTrust = { .trusted }
    ) {
        store = NamedFile(file, name, trust)
    }

    /// Returns the paths of all values except null, in a stable order.
    public func keys() throws(SourceFailure) -> [String] {
        guard let bytes = try file.read() else { return [] }
        return PlainTree.leaves(of: try tree(of: bytes))
            .filter { !($0.1 is NSNull) }
            .map(\.0.text)
    }

    /// Returns a value, or nil only if there is none.
    public func read(_ key: String) throws(SourceFailure) -> LegacyValue? {
        guard let bytes = try file.read(),
            let value = PlainTree.value(
                at: ValuePath(text: key).components,
                in: try tree(of: bytes)
            )
        else { return nil }
        return try secret(of: value, named: key).map { LegacyValue($0) }
    }

    /// Deletes a value; a missing value is not an error.
    public func delete(_ key: String) throws(SourceFailure) {
        guard let bytes = try file.read() else { return }
        _ = try tree(of: bytes)
        var scanner = JSONScanner(bytes)
        guard let range = scanner.range(of: ValuePath(text: key).components) else { return }
        var rest = bytes
        rest.replaceSubrange(range, with: Data("null".utf8))
        // What is written must still be JSON, with nothing at that path.
        guard PlainTree.value(at: ValuePath(text: key).components, in: try tree(of: rest)) is NSNull
        else { throw SourceFailure(.undeletable, file.name) }
        try file.replace(with: rest)
    }

    private func tree(of bytes: Data) throws(SourceFailure) -> Any {
        guard let tree = try? JSONSerialization.jsonObject(with: bytes, options: .fragmentsAllowed)
        else { throw SourceFailure(.damaged, file.name) }
        return tree
    }

    /// A dictionary or array stays JSON.
    private func secret(of value: Any, named key: String) throws(SourceFailure) -> SecretBytes? {
        guard value is [String: Any] || value is [Any] else {
            return try PlainValue.secret(of: value, named: key)
        }
        guard
            let bytes = try? JSONSerialization.data(
                withJSONObject: value,
                options: [.sortedKeys, .withoutEscapingSlashes]
            )
        else { throw SourceFailure(.unsupportedValue, key) }
        return SecretBytes(bytes)
    }
}

/// Finds where in a JSON text a value stands; the text is known to be well-formed.
struct JSONScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ data: Data) { bytes = [UInt8](data) }

    /// The bytes of the value at a path; nil if there is none.
    mutating func range(of path: [String]) -> Range<Int>? {
        position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        return find(path[...])
    }

    private mutating func find(_ path: ArraySlice<String>) -> Range<Int>? {
        skipBlanks()
        guard let wanted = path.first else {
            let start = position
            skipValue()
            return start..<position
        }
        switch current {
        case UInt8(ascii: "{"): return findMember(wanted, path.dropFirst())
        case UInt8(ascii: "["):
            guard let index = Int(wanted) else { return nil }
            return findElement(index, path.dropFirst())
        default: return nil
        }
    }

    /// Where a key stands twice, the parser keeps the last one.
    private mutating func findMember(
        _ wanted: String,
        _ rest: ArraySlice<String>
    ) -> Range<Int>? {
        var found: Range<Int>?
        position += 1
        while let byte = nextToken(), byte != UInt8(ascii: "}") {
            let start = position
            skipValue()
            let key = try? JSONDecoder().decode(String.self, from: Data(bytes[start..<position]))
            skipBlanks()
            position += 1
            skipBlanks()
            let value = position
            if key == wanted { found = find(rest) ?? found }
            position = value
            skipValue()
        }
        return found
    }

    private mutating func findElement(
        _ wanted: Int,
        _ rest: ArraySlice<String>
    ) -> Range<Int>? {
        var index = 0
        position += 1
        while let byte = nextToken(), byte != UInt8(ascii: "]") {
            if index == wanted { return find(rest) }
            skipValue()
            index += 1
        }
        return nil
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// The next byte that is neither blank nor comma.
    private mutating func nextToken() -> UInt8? {
        while let byte = current, byte == UInt8(ascii: ",") || Self.blanks.contains(byte) {
            position += 1
        }
        return current
    }

    private static let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]

    private mutating func skipBlanks() {
        while let byte = current, Self.blanks.contains(byte) { position += 1 }
    }

    private mutating func skipValue() {
        switch current {
        case UInt8(ascii: "\""): skipText()
        case UInt8(ascii: "{"), UInt8(ascii: "["): skipContainer()
        default:
            let ends = Self.blanks.union([0x2C, 0x5D, 0x7D])
            while let byte = current, !ends.contains(byte) { position += 1 }
        }
    }

    private mutating func skipText() {
        position += 1
        while let byte = current, byte != UInt8(ascii: "\"") {
            position += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        position = min(position + 1, bytes.count)
    }

    private mutating func skipContainer() {
        var depth = 0
        repeat {
            switch current {
            case UInt8(ascii: "\""): skipText()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                position += 1
            default: position += 1
            }
        } while depth > 0 && position < bytes.count
    }
}
