import JSON
import KeychainModel

extension ByteRule {
    /// A JSON string in quotation marks; invalid UTF-8 becomes U+FFFD.
    ///
    /// Escapes everything that could act on a terminal, beyond the requirements of RFC 8259 §7.
    static let json = ByteRule { bytes, emit in
        JSONString.write(bytes, escaping: VisibleText.isHidden, emit)
    }

    /// Whether all bytes together are well-formed UTF-8.
    static func isText(_ bytes: UnsafeRawBufferPointer) -> Bool { JSONString.isText(bytes) }
}
