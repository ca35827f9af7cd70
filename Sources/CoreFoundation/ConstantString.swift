import Foundation

/// A string constant that finds Swift string keys in dictionaries, and is found by them.
///
/// A plain `NSString` and a Swift `String` of the same characters are unequal as `AnyHashable` on
/// Linux, so `attributes[kSecAttrAccount]` would miss an entry stored under `"acct"`. This class
/// hands out the Swift string as its `AnyHashable`. It never changes after it is made.
package final class ConstantString: NSString, _HasCustomAnyHashableRepresentation {
    /// The characters as a Swift string.
    package let text: String
    private let units: [UInt16]

    /// Creates a constant of these characters.
    package init(_ value: String) {
        text = value
        units = Array(value.utf16)
        super.init(characters: units, length: units.count)
    }

    /// Creates a constant of these characters.
    package required init(string: String) {
        text = string
        units = Array(string.utf16)
        super.init(characters: units, length: units.count)
    }

    /// Creates a constant written as a literal.
    package required convenience init(stringLiteral value: StaticString) {
        self.init(value.description)
    }

    /// Creates a constant of one Unicode scalar.
    package required convenience init(unicodeScalarLiteral value: StaticString) {
        self.init(value.description)
    }

    /// Creates a constant of one character.
    package required convenience init(extendedGraphemeClusterLiteral value: StaticString) {
        self.init(value.description)
    }

    /// Creates a constant from an archive; nil if the archive contains no string.
    package required convenience init?(coder: NSCoder) {
        guard let value = NSString(coder: coder) else { return nil }
        self.init(value as String)
    }

    /// The number of UTF-16 code units.
    package override var length: Int { units.count }

    /// Returns the UTF-16 code unit at an index below `length`.
    package override func character(at index: Int) -> unichar { units[index] }

    /// Returns the constant itself, which cannot change.
    package override func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns the Swift string of the same characters, as a dictionary key.
    package func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(text) }
}
