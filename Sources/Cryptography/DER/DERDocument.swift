/// The kind of a DER file, as its first elements suggest; its reader may still reject it.
///
/// The guess is enough to keep a possible private key out of ordinary memory.
package enum DERDocument: Sendable, Hashable, CaseIterable {
    /// Certificate (RFC 5280 §4.1).
    case certificate
    /// SubjectPublicKeyInfo (RFC 5280 §4.1.2.7).
    case publicKey
    /// RSAPublicKey (RFC 8017 A.1.1).
    case rsaPublicKey
    /// PrivateKeyInfo (RFC 5208 §5).
    case privateKey
    /// EncryptedPrivateKeyInfo (RFC 5208 §6).
    case encryptedPrivateKey
    /// RSAPrivateKey (RFC 8017 A.1.2).
    case rsaPrivateKey
    /// ECPrivateKey (RFC 5915 §3).
    case ecPrivateKey
    /// PFX (RFC 7292 §4).
    case pkcs12

    /// The opening bytes of a PKCS#12 file whose outer length is left open, as BER allows.
    private static let openPKCS12: [UInt8] = [0x30, 0x80, 0x02, 0x01, 0x03]

    /// Guesses the kind of a whole file.
    ///
    /// - Returns: `nil` if it begins like none of them.
    package init?(recognizing bytes: UnsafeRawBufferPointer) {
        if bytes.starts(with: Self.openPKCS12) {
            self = .pkcs12
            return
        }
        do throws(CryptographyError) {
            guard let found = try Self.recognize(DERReader(bytes[...])) else { return nil }
            self = found
        } catch {
            return nil
        }
    }

    private static func recognize(
        _ reader: DERReader<Slice<UnsafeRawBufferPointer>>
    ) throws(CryptographyError) -> DERDocument? {
        var outer = reader
        var fields = try outer.enter(DERTag.sequence)
        let first = try fields.readElement()
        let second = try fields.readElement()
        switch (first.tag, second.tag) {
        case (DERTag.sequence, DERTag.sequence): return .certificate
        case (DERTag.sequence, DERTag.bitString): return .publicKey
        case (DERTag.sequence, DERTag.octetString): return .encryptedPrivateKey
        case (DERTag.integer, DERTag.octetString): return .ecPrivateKey
        case (DERTag.integer, DERTag.sequence):
            return first.content.elementsEqual([3]) ? .pkcs12 : .privateKey
        case (DERTag.integer, DERTag.integer):
            return fields.isAtEnd ? .rsaPublicKey : .rsaPrivateKey
        default: return nil
        }
    }
}
