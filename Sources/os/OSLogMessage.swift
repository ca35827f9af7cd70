public import Foundation

/// A message with values that the log may have to hide.
///
/// You write one as a string literal in a call of ``Logger``.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
    /// The text, in which private values are redacted.
    let text: String

    /// Creates a message without values.
    public init(stringLiteral value: String) { text = value }

    /// Creates a message from its parts.
    public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
}

/// The parts of a message.
public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
    private(set) var text = ""

    /// Begins an empty message.
    public init(literalCapacity: Int, interpolationCount: Int) {
        text.reserveCapacity(literalCapacity)
    }

    /// Appends the text between values.
    public mutating func appendLiteral(_ literal: String) { text += literal }

    // There is no default for `format`, because the overload for descriptions would then fit an
    // integer better.
    /// Appends an integer, which is public by default.
    public mutating func appendInterpolation(
        _ number: @autoclosure () -> some FixedWidthInteger,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        appendInterpolation(number(), format: .decimal, align: align, privacy: privacy)
    }

    /// Appends an integer in a format.
    public mutating func appendInterpolation(
        _ number: @autoclosure () -> some FixedWidthInteger,
        format: OSLogIntegerFormatting,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        text += align.applied(to: privacy.shown(format.text(of: number()), isScalar: true))
    }

    /// Appends a floating-point number, which is public by default.
    public mutating func appendInterpolation(
        _ number: @autoclosure () -> some BinaryFloatingPoint & CustomStringConvertible,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        text += align.applied(to: privacy.shown(number().description, isScalar: true))
    }

    /// Appends a truth value, which is public by default.
    public mutating func appendInterpolation(
        _ boolean: @autoclosure () -> Bool,
        privacy: OSLogPrivacy = .auto
    ) {
        text += privacy.shown(String(boolean()), isScalar: true)
    }

    /// Appends a string, which is private by default.
    public mutating func appendInterpolation(
        _ string: @autoclosure () -> String,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        text += align.applied(to: privacy.shown(string(), isScalar: false))
    }

    /// Appends a value by its description, which is private by default.
    public mutating func appendInterpolation(
        _ value: @autoclosure () -> some CustomStringConvertible,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        text += align.applied(to: privacy.shown(value().description, isScalar: false))
    }

    /// Appends the name of a type, which is public by default.
    public mutating func appendInterpolation(
        _ type: @autoclosure () -> any Any.Type,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        text += align.applied(to: privacy.shown(String(describing: type()), isScalar: true))
    }

    /// Appends an object by its description, which is private by default.
    public mutating func appendInterpolation(
        _ object: @autoclosure () -> NSObject,
        privacy: OSLogPrivacy = .auto
    ) {
        text += privacy.shown(String(describing: object()), isScalar: false)
    }

    /// Appends an error, which is private by default.
    @_disfavoredOverload
    public mutating func appendInterpolation(
        _ error: @autoclosure () -> any Error,
        privacy: OSLogPrivacy = .auto
    ) {
        text += privacy.shown(String(describing: error()), isScalar: false)
    }
}

/// The format of an integer in a message.
public struct OSLogIntegerFormatting: Sendable {
    let radix: Int
    let prefix: String
    let isUppercase: Bool

    /// Base ten.
    public static var decimal: OSLogIntegerFormatting {
        .init(radix: 10, prefix: "", isUppercase: false)
    }
    /// Base sixteen.
    public static var hex: OSLogIntegerFormatting { .hex() }
    /// Base eight.
    public static var octal: OSLogIntegerFormatting {
        .init(radix: 8, prefix: "", isUppercase: false)
    }

    /// Base sixteen, optionally with `0x` before the digits.
    public static func hex(
        explicitPositiveSign: Bool = false,
        includePrefix: Bool = false,
        uppercase: Bool = false
    ) -> OSLogIntegerFormatting {
        .init(radix: 16, prefix: includePrefix ? "0x" : "", isUppercase: uppercase)
    }

    func text(of number: some FixedWidthInteger) -> String {
        prefix + String(number, radix: radix, uppercase: isUppercase)
    }
}

/// The alignment of a value in a column.
public struct OSLogStringAlignment: Sendable {
    let columns: Int
    let isLeft: Bool

    /// No column: as wide as the value.
    public static var none: OSLogStringAlignment { .init(columns: 0, isLeft: true) }

    /// Alignment to the left edge of a column.
    public static func left(columns: Int) -> OSLogStringAlignment {
        .init(columns: columns, isLeft: true)
    }
    /// Alignment to the right edge of a column.
    public static func right(columns: Int) -> OSLogStringAlignment {
        .init(columns: columns, isLeft: false)
    }

    func applied(to text: String) -> String {
        let space = String(repeating: " ", count: max(0, columns - text.count))
        return isLeft ? text + space : space + text
    }
}
