/// Why bytes are no message.
package enum WireError: Error, Sendable, Hashable {
    /// The bytes end too early.
    case truncated
    /// Bytes are left behind the message.
    case trailingBytes
    /// A number names no case, kind, class or flag of this version.
    case unknownValue(String)
    /// A text is not UTF-8.
    case invalidText
    /// Values lie in each other too deeply, or there are too many.
    case limitExceeded(String)
}
