/// The reason why bytes are not a message.
package enum WireError: Error, Sendable, Hashable {
    /// The bytes end too early.
    case truncated
    /// Bytes follow the end of the message.
    case trailingBytes
    /// A number names no case, kind, class or flag of this version.
    case unknownValue(String)
    /// A value breaks a rule, such as a key that occurs twice.
    case invalidValue(String)
    /// A text is not UTF-8.
    case invalidText
    /// Values are nested too deeply, or there are too many.
    case limitExceeded(String)

    /// A message has more bytes than its side may send.
    package static let oversized = WireError.limitExceeded("size of a message")

    /// A description that follows "the message is malformed:", and never contains content.
    package var words: String {
        switch self {
        case .truncated: "it ends too early"
        case .trailingBytes: "bytes follow its end"
        case .unknownValue(let name): "unknown \(name)"
        case .invalidValue(let name): "invalid \(name)"
        case .invalidText: "a text is not UTF-8"
        case .limitExceeded(let name): "too much: \(name)"
        }
    }
}
