import KeychainModel

/// The name of an account: text, or other bytes, which git permits.
package struct AccountName: Sendable, Hashable, ExpressibleByStringLiteral {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package init(_ text: String) { bytes = Array(text.utf8) }

    package init(stringLiteral text: String) { self.init(text) }

    package var isEmpty: Bool { bytes.isEmpty }

    /// The attribute's value: text if the bytes are UTF-8, otherwise data.
    package var value: AttributeValue {
        String(validating: bytes, as: UTF8.self).map(AttributeValue.string) ?? .data(bytes)
    }
}
