@_implementationOnly import CCrypto

/// Base64 (RFC 4648 §4) of bytes that are not secret, such as ciphertext.
///
/// The text has padding and no line ends.
package enum Base64Text {
    /// Returns the digits of at most 2^30 bytes.
    package static func encode(_ bytes: [UInt8]) -> String {
        let count = (bytes.count + 2) / 3 * 4
        return String(unsafeUninitializedCapacity: count + 1) { target in
            Int(EVP_EncodeBlock(target.baseAddress, bytes, Int32(bytes.count)))
        }
    }

    /// Returns the bytes of digits; nil for any other text.
    package static func decode(_ digits: UnsafeRawBufferPointer) -> [UInt8]? {
        guard digits.count.isMultiple(of: 4), digits.count <= 1 << 30 else { return nil }
        guard let last = digits.last else { return [] }
        let pad = UInt8(ascii: "=")
        let padCount = last != pad ? 0 : digits[digits.count - 2] != pad ? 1 : 2
        // libcrypto skips blanks, and accepts padding anywhere as zeros.
        let isStrict = digits.dropLast(padCount).allSatisfy { $0 > UInt8(ascii: " ") && $0 != pad }
        guard isStrict else { return nil }
        let count = digits.count / 4 * 3
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { target, written in
            let start = digits.baseAddress?.assumingMemoryBound(to: UInt8.self)
            written = Int(EVP_DecodeBlock(target.baseAddress, start, Int32(digits.count)))
            if written != count { written = 0 }
        }
        return bytes.isEmpty ? nil : bytes.dropLast(padCount)
    }
}
