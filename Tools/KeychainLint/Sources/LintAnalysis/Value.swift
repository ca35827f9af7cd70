import SwiftSyntax

/// The known part of an expression's value.
///
/// An unknown value is `unknown`, and no rule applies to it.
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
    /// One of several values; a rule must be broken by all of them.
    case anyOf([Value])
    /// The bytes of a text.
    case data(Value)
    case accessControl(AccessControl)
    /// The result of a call of which only the name is known.
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

    /// The possible names; nil if one is unknown.
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

    /// Returns the common part of two possible values.
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

    /// The value, or unknown if it contains so many values that each use takes long.
    var bounded: Value { parts(within: Self.mostParts) > Self.mostParts ? .unknown : self }

    /// Returns the number of values, including those inside; stops at a limit.
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

/// A dictionary for the keychain.
package struct QueryDictionary: Sendable {
    package private(set) var entries: [String: Entry] = [:]
    /// Whether code that is not in view may have added keys.
    package private(set) var isOpen = false
    /// The offsets of the literals from which it was made.
    package internal(set) var origins: Set<Int> = []
    /// The literal or call at which it began.
    package let literal: Syntax
    /// Whether other code can change it through a reference.
    var isReference = false
    /// A number that identifies this state of a dictionary: counted at a change, mixed at a join.
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
        /// The node for reports.
        package let node: Syntax
        /// Whether the entry exists on every path.
        package var isCertain = true
        /// Whether the key is spelled as text, such as `"svce"`.
        package var isRawKey = false
    }

    package subscript(key: String) -> Entry? { entries[key] }

    /// Returns an entry that exists on every path.
    package func certain(_ key: String) -> Entry? {
        guard let entry = entries[key], entry.isCertain else { return nil }
        return entry
    }

    /// Whether it certainly lacks a key.
    package func lacks(_ key: String) -> Bool { !isOpen && entries[key] == nil }

    package func lacks(all keys: [String]) -> Bool { keys.allSatisfy(lacks) }

    package var keys: [String] { entries.keys.sorted() }

    var count: Int { entries.count }

    /// The class of its items, if there is exactly one.
    package var itemClass: ItemClass? {
        certain("kSecClass").flatMap { $0.value.name }.flatMap(ItemClass.init(rawValue:))
    }

    /// The limit for entries: no real query has so many, and each change copies them all.
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

    /// Returns the same entries at one node, because their own nodes are in another file.
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

    /// Returns the joined dictionary: common entries are certain, others are possible.
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

    /// Returns a number that is the same for the same two states, and differs from that of any
    /// change.
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

    /// The flags that the user or device has to satisfy.
    package var constraints: [String] { flags?.filter(Self.constraintNames.contains) ?? [] }

    package static let constraintNames: Set<String> = [
        "userPresence", "biometryAny", "biometryCurrentSet", "devicePasscode", "companion", "watch",
    ]
}

extension SyntaxProtocol {
    /// The first byte after comments and spaces.
    package var start: Int { positionAfterSkippingLeadingTrivia.utf8Offset }

    /// The byte after the last one, without comments and spaces.
    package var end: Int { endPositionBeforeTrailingTrivia.utf8Offset }

    package var span: Range<Int> { start..<max(start, end) }
}
