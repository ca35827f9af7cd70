import Foundation

/// Writes a message with values in the places of a format.
///
/// Objects and strings (`%@`, `%s`) are private unless the format says `%{public}@`. On Apple's
/// platforms a string has to be an `NSString` or bridges to one; here a `String` is enough.
///
/// ```swift
/// os_log(.error, log: .default, "%d items of %{public}@ are left", count, service)
/// ```
///
/// - Source: Apple's documentation of `os_log`.
public func os_log(
    _ type: OSLogType,
    dso: UnsafeRawPointer? = nil,
    log: OSLog = .default,
    _ message: StaticString,
    _ args: Any...
) {
    LogOutput.write(LogFormat(message.description).filled(with: args), type, to: log)
}

/// Writes a message with values in the places of a format, with the level last.
public func os_log(
    _ message: StaticString,
    dso: UnsafeRawPointer? = nil,
    log: OSLog = .default,
    type: OSLogType = .default,
    _ args: Any...
) {
    LogOutput.write(LogFormat(message.description).filled(with: args), type, to: log)
}

/// Writes a message with interpolated values.
@_disfavoredOverload
public func os_log(_ type: OSLogType, log: OSLog = .default, _ message: OSLogMessage) {
    LogOutput.write(message.text, type, to: log)
}

/// Writes a message with interpolated values, with the default level.
@_disfavoredOverload
public func os_log(_ message: OSLogMessage) {
    LogOutput.write(message.text, .default, to: .default)
}

/// A format with places for values, such as `%d of %{public}@`.
struct LogFormat {
    /// A place for a value.
    struct Place: Equatable {
        /// The words between braces, such as `public`.
        var options: [Substring] = []
        /// Flags, width and precision, such as `-8.3`.
        var layout = ""
        /// The number of values before this one that state a width or a precision, as in `%.*s`.
        var sizeCount = 0
        /// The letter, such as `d` or `@`.
        var conversion: Character = "@"
    }

    enum Part: Equatable {
        case text(String)
        case place(Place)
    }

    let parts: [Part]

    init(_ format: String) {
        var rest = format[...]
        var parts: [Part] = []
        var text = ""
        while let character = rest.popFirst() {
            guard character == "%" else {
                text.append(character)
                continue
            }
            guard rest.first != "%" else {
                text.append(rest.removeFirst())
                continue
            }
            parts.append(.text(text))
            text = ""
            parts.append(.place(Self.place(from: &rest)))
        }
        self.parts = parts + [.text(text)]
    }

    /// Returns the message; a place without a value says so.
    func filled(with values: [Any]) -> String {
        var rest = values[...]
        return parts.map { part in
            switch part {
            case .text(let text): return text
            // The library describes the error of the last call, which needs no value.
            case .place(let place) where place.conversion == "m":
                return String(cString: strerror(errno))
            case .place(let place):
                rest = rest.dropFirst(place.sizeCount)
                return rest.popFirst().map(place.shown) ?? "<missing>"
            }
        }.joined()
    }

    private static func place(from rest: inout Substring) -> Place {
        var place = Place()
        if rest.first == "{", let end = rest.firstIndex(of: "}") {
            place.options = rest[..<end].dropFirst().split(separator: ",").map {
                $0.drop { $0 == " " }
            }
            rest = rest[end...].dropFirst()
        }
        while let character = rest.popFirst() {
            // Sizes have no meaning here, because a value knows its own.
            if "hlqjzt".contains(character) { continue }
            if character == "*" {
                place.sizeCount += 1
                continue
            }
            guard character.isNumber || "-+ #.".contains(character) else {
                place.conversion = character
                break
            }
            place.layout.append(character)
        }
        return place
    }
}

extension LogFormat.Place {
    /// Returns the text that the log shows for a value in this place.
    func shown(_ value: Any) -> String {
        let isScalar = Self.isScalar(value) && !"@sSpP".contains(conversion)
        return privacy.shown(text(of: value), isScalar: isScalar)
    }

    /// Whether a value is a number.
    ///
    /// The letter is not enough: a wrong letter must not reveal a string.
    private static func isScalar(_ value: Any) -> Bool {
        value is any BinaryInteger || value is any BinaryFloatingPoint || value is Bool
    }

    private var privacy: OSLogPrivacy {
        let mask: OSLogPrivacy.Mask = options.contains("mask.hash") ? .hash : .none
        if options.contains("public") { return .public }
        if options.contains("sensitive") { return .sensitive(mask: mask) }
        return options.contains("private") ? .private(mask: mask) : .auto(mask: mask)
    }

    private func text(of value: Any) -> String {
        switch (conversion, value) {
        case ("d", let number as any FixedWidthInteger), ("i", let number as any FixedWidthInteger),
            ("u", let number as any FixedWidthInteger):
            String(format: "%\(layout)@", String(number))
        case ("x", let number as any FixedWidthInteger): String(number, radix: 16)
        case ("X", let number as any FixedWidthInteger):
            String(number, radix: 16, uppercase: true)
        case ("f", let number as Double), ("g", let number as Double), ("e", let number as Double):
            String(format: "%\(layout)\(conversion)", number)
        default: String(describing: value)
        }
    }
}
