/// The two numbers of an ECDSA signature, big-endian without leading zeros.
package struct ECDSASignature: Equatable {
    /// The x coordinate of the ephemeral point, modulo the group order.
    let r: [UInt8]

    /// The number that binds digest and key to it.
    let s: [UInt8]

    /// Reads the DER form.
    ///
    /// - Throws: `invalidInput` if it is malformed.
    package init(x962 der: [UInt8]) throws(CryptographyError) {
        var outer = DERReader(der[...])
        var fields = try outer.enter(DERTag.sequence)
        try outer.finish()
        r = [UInt8](try fields.readUnsignedInteger())
        s = [UInt8](try fields.readUnsignedInteger())
        try fields.finish()
    }

    /// Reads the form of full-width numbers; `nil` if it has another size.
    package init?(rfc4754 bytes: [UInt8], _ curve: EllipticCurve) {
        guard bytes.count == 2 * curve.scalarByteCount else { return nil }
        r = Array(bytes.prefix(curve.scalarByteCount).drop { $0 == 0 })
        s = Array(bytes.suffix(curve.scalarByteCount).drop { $0 == 0 })
    }

    /// The DER form.
    package var x962: [UInt8] { DER.sequence(DER.unsignedInteger(r), DER.unsignedInteger(s)) }

    /// Writes the form of full-width numbers.
    ///
    /// - Throws: `invalidInput` if they are too large for the curve.
    package func rfc4754(_ curve: EllipticCurve) throws(CryptographyError) -> [UInt8] {
        let missing = [r, s].map { curve.scalarByteCount - $0.count }
        guard missing.allSatisfy({ $0 >= 0 }) else { throw .malformedDER }
        return [UInt8](repeating: 0, count: missing[0]) + r
            + [UInt8](repeating: 0, count: missing[1]) + s
    }
}
