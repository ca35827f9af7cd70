import JSON
import KeychainModel

extension ByteRule {
    /// A JSON string with its quotes; bytes that are not UTF-8 become U+FFFD.
    ///
    /// Beyond what RFC 8259 §7 demands, everything that could act on a terminal is escaped.
    static let json = ByteRule { bytes, emit in
        JSONString.write(bytes, escaping: VisibleText.isHidden, emit)
    }

    /// Whether all bytes together are well-formed UTF-8.
    static func isText(_ bytes: UnsafeRawBufferPointer) -> Bool { JSONString.isText(bytes) }
}
