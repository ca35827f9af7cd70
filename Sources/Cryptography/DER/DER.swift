import Secrets

/// A writer of DER elements (X.690 §10).
enum DER {
    /// Writes an element.
    static func element(_ tag: UInt8, _ content: some Collection<UInt8>) -> [UInt8] {
        header(tag, contentByteCount: content.count) + content
    }

    /// Writes an element around secret bytes; the result is as secret as they are.
    static func element(_ tag: UInt8, _ content: borrowing Secret) -> Secret {
        let header = header(tag, contentByteCount: content.byteCount)
        return Secret(concatenating: Secret(copying: header), content)
    }

    /// Writes a SEQUENCE of elements that are encoded already.
    static func sequence(_ elements: [UInt8]...) -> [UInt8] {
        element(DERTag.sequence, elements.flatMap { $0 })
    }

    /// Writes an INTEGER that is not negative.
    ///
    /// - Parameter magnitude: Big-endian; leading zeros are dropped, none means zero.
    /// - Returns: The element.
    static func unsignedInteger(_ magnitude: some Collection<UInt8>) -> [UInt8] {
        let digits = [UInt8](magnitude.drop { $0 == 0 })
        let needsZero = digits.first.map { $0 >= 0x80 } ?? true
        return element(DERTag.integer, (needsZero ? [0] : []) + digits)
    }

    /// Writes a BIT STRING of whole bytes.
    static func wholeBitString(_ content: [UInt8]) -> [UInt8] {
        element(DERTag.bitString, [0] + content)
    }

    private static func header(_ tag: UInt8, contentByteCount: Int) -> [UInt8] {
        guard contentByteCount >= 0x80 else { return [tag, UInt8(contentByteCount)] }
        var digits: [UInt8] = []
        var remaining = contentByteCount
        while remaining > 0 {
            digits.insert(UInt8(remaining & 0xFF), at: 0)
            remaining >>= 8
        }
        return [tag, 0x80 | UInt8(digits.count)] + digits
    }
}
