import SwiftSyntax

/// What the linter knows about the value of an expression.
///
/// What it does not know is `unknown`, and no rule says anything about that.
package indirect enum Value: Sendable, Equatable {
    case unknown
    case string(String)
    case bool(Bool)
    case number(Double)
    /// A global name, such as `kSecClassKey`.
    case constant(String)
    /// An implicit member, such as `.biometryAny`.
    case member(String)
    case dictionary(QueryDictionary)
    case array([Value])
    /// One of several values; a rule about it must hold for all.
    case anyOf([Value])
    /// The bytes of a text.
    case data(Value)
    case accessControl(AccessControl)
    /// The result of a call whose name alone is known.
    case result(String)

    package static func == (left: Value, right: Value) -> Bool {
        switch (left, right) {
        case (.unknown, .unknown): true
        case (.string(let left), .string(let right)): left == right
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.constant(let left), .constant(let right)): left == right
        case (.member(let left), .member(let right)): left == right
        case (.dictionary(let left), .dictionary(let right)): left.revision == right.revision
        case (.array(let left), .array(let right)): left == right
        case (.anyOf(let left), .anyOf(let right)): left == right
        case (.data(let left), .data(let right)): left == right
        case (.accessControl(let left), .accessControl(let right)): left.offset == right.offset
        case (.result(let left), .result(let right)): left == right
        default: false
        }
    }

    package var dictionary: QueryDictionary? {
        if case .dictionary(let dictionary) = self { dictionary } else { nil }
    }

    package var string: String? {
        switch self {
        case .string(let text): text
        case .data(let value): value.string
        default: nil
        }
    }

    package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    package var number: Double? { if case .number(let value) = self { value } else { nil } }

    package var accessControl: AccessControl? {
        if case .accessControl(let value) = self { value } else { nil }
    }

    /// The name of a constant or member.
    package var name: String? {
        switch self {
        case .constant(let name), .member(let name): name
        default: nil
        }
    }

    /// The names that it can be, or nil if one is unknown.
    package var names: [String]? {
        switch self {
        case .constant(let name), .member(let name): [name]
        case .anyOf(let values):
            values.reduce([String]?([])) { all, value in
                guard let all, let name = value.name else { return nil }
                return all + [name]
            }
        default: nil
        }
    }

    package var isUnknown: Bool { self == .unknown }

    /// What is known if the value is one of the two.
    func joined(with other: Value) -> Value {
        if self == other { return self }
        if case .dictionary(let left) = self, case .dictionary(let right) = other {
            return .dictionary(left.joined(with: right))
        }
        if dictionary != nil || other.dictionary != nil { return .unknown }
        var values = alternatives
        for value in other.alternatives where !values.contains(value) { values.append(value) }
        guard !values.contains(.unknown), values.count <= Self.mostAlternatives else {
            return .unknown
        }
        return Value.anyOf(values).bounded
    }

    private static let mostAlternatives = 64
    private static let mostParts = 1_000

    /// The value, or unknown if so many values are inside of it that each use takes long.
    var bounded: Value { parts(within: Self.mostParts) > Self.mostParts ? .unknown : self }

    /// How many values there are with those inside; counts no further than a bound.
    private func parts(within bound: Int) -> Int {
        var count = 1
        switch self {
        case .array(let values), .anyOf(let values):
            for value in values where count <= bound { count += value.parts(within: bound - count) }
        case .dictionary(let dictionary):
            for entry in dictionary.entries.values where count <= bound {
                count += entry.value.parts(within: bound - count)
            }
        case .data(let value): count += value.parts(within: bound - 1)
        default: break
        }
        return count
    }

    var alternatives: [Value] { if case .anyOf(let values) = self { values } else { [self] } }
}

/// A dictionary on its way to the keychain.
package struct QueryDictionary: Sendable {
    package private(set) var entries: [String: Entry] = [:]
    /// Whether code that is not in view may have added keys.
    package private(set) var isOpen = false
    /// The literals that it came from, by offset.
    package internal(set) var origins: Set<Int> = []
    /// The literal or call where it began.
    package let literal: Syntax
    /// Whether others can change it through a reference.
    var isReference = false
    /// A number that no other state of a dictionary has: counted for a change, mixed for a join.
    private(set) var revision: Int

    init(literal: Syntax, revision: Int) {
        self.literal = literal
        self.revision = revision
        origins = [literal.start]
    }

    /// One key and its value.
    package struct Entry: Sendable {
        package let key: String
        package let value: Value
        /// The expression of the value.
        package let expression: ExprSyntax?
        /// What a report points to.
        package let node: Syntax
        /// Whether it is there on every path.
        package var isCertain = true
        /// Whether the key is spelled as text, like `"svce"`.
        package var isRawKey = false
    }

    package subscript(key: String) -> Entry? { entries[key] }

    /// An entry that is there on every path.
    package func certain(_ key: String) -> Entry? {
        guard let entry = entries[key], entry.isCertain else { return nil }
        return entry
    }

    /// Whether it surely lacks a key.
    package func lacks(_ key: String) -> Bool { !isOpen && entries[key] == nil }

    package func lacks(all keys: [String]) -> Bool { keys.allSatisfy(lacks) }

    package var keys: [String] { entries.keys.sorted() }

    var count: Int { entries.count }

    /// The class of items that it speaks of, if it is one.
    package var itemClass: ItemClass? {
        certain("kSecClass").flatMap { $0.value.name }.flatMap(ItemClass.init(rawValue:))
    }

    /// No query has so many keys, and each change of such a dictionary copies them all.
    private static let mostEntries = 500

    mutating func set(_ entry: Entry, revision: Int) {
        if entries.count < Self.mostEntries || entries[entry.key] != nil {
            entries[entry.key] = entry
        } else {
            isOpen = true
        }
        self.revision = revision
    }

    mutating func remove(_ key: String, revision: Int) {
        entries[key] = nil
        self.revision = revision
    }

    mutating func open(revision: Int) {
        isOpen = true
        self.revision = revision
    }

    mutating func merge(_ other: QueryDictionary, revision: Int) {
        entries.merge(other.entries) { _, new in new }
        isOpen = isOpen || other.isOpen
        origins.formUnion(other.origins)
        self.revision = revision
    }

    /// The same entries as if they stood at one node: their own nodes are of another file.
    func moved(to node: Syntax, revision: Int) -> QueryDictionary {
        var moved = QueryDictionary(literal: node, revision: revision)
        moved.isOpen = isOpen
        moved.isReference = isReference
        for (key, entry) in entries {
            var value = entry.value
            switch value {
            case .accessControl: value = .unknown
            case .dictionary(let inner):
                value = .dictionary(inner.moved(to: node, revision: revision))
            default: break
            }
            var copy = Entry(key: key, value: value, expression: entry.expression, node: node)
            copy.isCertain = entry.isCertain
            copy.isRawKey = entry.isRawKey
            moved.entries[key] = copy
        }
        return moved
    }

    /// What both have is certain; what one has is possible.
    func joined(with other: QueryDictionary) -> QueryDictionary {
        var joined = self
        for (key, entry) in entries {
            guard let theirs = other.entries[key] else {
                joined.entries[key]?.isCertain = false
                continue
            }
            var both = Entry(
                key: key,
                value: entry.value.joined(with: theirs.value),
                expression: entry.expression,
                node: entry.node
            )
            both.isCertain = entry.isCertain && theirs.isCertain
            both.isRawKey = entry.isRawKey
            joined.entries[key] = both
        }
        for (key, entry) in other.entries where entries[key] == nil {
            joined.entries[key] = entry
            joined.entries[key]?.isCertain = false
        }
        joined.isOpen = isOpen || other.isOpen
        joined.origins.formUnion(other.origins)
        joined.revision = Self.mixed(revision, other.revision)
        return joined
    }

    /// The same number for the same two states, and another one than any change has.
    private static func mixed(_ first: Int, _ second: Int) -> Int {
        var bits: UInt64 = 0
        for number in [min(first, second), max(first, second)] {
            bits = (bits ^ UInt64(bitPattern: Int64(number))) &* 0x9E37_79B9_7F4A_7C15
            bits ^= bits >> 29
        }
        return Int(truncatingIfNeeded: bits) | Int.min
    }
}

/// The classes of items.
package enum ItemClass: String, Sendable, CaseIterable {
    case genericPassword = "kSecClassGenericPassword"
    case internetPassword = "kSecClassInternetPassword"
    case certificate = "kSecClassCertificate"
    case key = "kSecClassKey"
    case identity = "kSecClassIdentity"

    package var isPassword: Bool { self == .genericPassword || self == .internetPassword }
}

/// A call of `SecAccessControlCreateWithFlags`.
package struct AccessControl: Sendable {
    package let call: FunctionCallExprSyntax
    /// The accessibility, by the name of its constant.
    package let protection: String?
    /// Flags with their modern names, or nil if some are unknown.
    package let flags: [String]?
    package let flagsNode: Syntax
    package var offset: Int { call.start }

    /// Flags that the user or device has to satisfy.
    package var constraints: [String] { flags?.filter(Self.constraintNames.contains) ?? [] }

    package static let constraintNames: Set<String> = [
        "userPresence", "biometryAny", "biometryCurrentSet", "devicePasscode", "companion", "watch",
    ]
}

extension SyntaxProtocol {
    /// The first byte that is no comment or space.
    package var start: Int { positionAfterSkippingLeadingTrivia.utf8Offset }

    /// The byte after the last one that is no comment or space.
    package var end: Int { endPositionBeforeTrailingTrivia.utf8Offset }

    package var span: Range<Int> { start..<max(start, end) }
}
