import Security
import Testing

/// A value of a dictionary, in a form that a table of test cases can hold.
enum Sample: Sendable, Hashable, CustomTestStringConvertible {
    case text(String)
    case data([UInt8])
    case number(Int)
    case real(Double)
    case bool(Bool)
    /// Seconds since 2001.
    case date(Double)
    case null
    /// An array of one text.
    case list
    /// A dictionary of one text.
    case dictionary
    case url
    /// An object of a class that no dictionary expects.
    case stranger
    /// `SecAccessControl` for WhenUnlocked without constraints.
    case accessControl

    /// The value as it is passed to a function.
    var object: Any {
        switch self {
        case .text(let text): text
        case .data(let bytes): Data(bytes)
        case .number(let number): number
        case .real(let number): number
        case .bool(let flag): flag
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
        case .null: NSNull()
        case .list: ["text"]
        case .dictionary: ["key": "text"]
        case .url: NSURL(fileURLWithPath: "/")
        case .stranger: NSObject()
        case .accessControl: Self.control as Any
        }
    }

    private static var control: SecAccessControl? {
        SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, [], nil)
    }

    /// Whether a returned object has this value and this type.
    func equals(_ object: Any?) -> Bool {
        guard let object else { return false }
        let found = object as AnyObject
        let expected = self.object as AnyObject
        return CFGetTypeID(found) == CFGetTypeID(expected) && CFEqual(found, expected)
    }

    var testDescription: String {
        switch self {
        case .text(let text): text.count < 24 ? "\"\(text)\"" : "\(text.count) characters"
        case .data(let bytes): bytes.count < 8 ? "data \(bytes)" : "\(bytes.count) bytes"
        case .number(let number): "number \(number)"
        case .real(let number): "number \(number)"
        case .bool(let flag): "\(flag)"
        case .date(let seconds): "date \(seconds)"
        case .null: "null"
        case .list: "an array"
        case .dictionary: "a dictionary"
        case .url: "a URL"
        case .stranger: "an object"
        case .accessControl: "an access control"
        }
    }
}
