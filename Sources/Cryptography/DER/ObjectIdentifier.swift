/// The object identifiers used here, as the content of their DER elements.
enum ObjectIdentifier {
    /// 1.2.840.113549.1.1.1, RFC 8017.
    static let rsaEncryption: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
    /// 1.2.840.10045.2.1, RFC 5480.
    static let ecPublicKey: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
    /// 1.2.840.10045.3.1.7, RFC 5480.
    static let p256: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
    /// 1.3.132.0.34, RFC 5480.
    static let p384: [UInt8] = [0x2B, 0x81, 0x04, 0x00, 0x22]
    /// 1.3.132.0.35, RFC 5480.
    static let p521: [UInt8] = [0x2B, 0x81, 0x04, 0x00, 0x23]
    /// 1.3.101.110, RFC 8410.
    static let x25519: [UInt8] = [0x2B, 0x65, 0x6E]
    /// 1.3.101.112, RFC 8410.
    static let ed25519: [UInt8] = [0x2B, 0x65, 0x70]

    /// 2.5.4.3, X.520.
    static let commonName: [UInt8] = [0x55, 0x04, 0x03]
    /// 2.5.4.10, X.520.
    static let organization: [UInt8] = [0x55, 0x04, 0x0A]
    /// 2.5.4.11, X.520.
    static let organizationalUnit: [UInt8] = [0x55, 0x04, 0x0B]
    /// 2.5.4.13, X.520.
    static let description: [UInt8] = [0x55, 0x04, 0x0D]
    /// 1.2.840.113549.1.9.1, RFC 2985.
    static let emailAddress: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x01]

    /// 2.5.29.14, RFC 5280 §4.2.1.2.
    static let subjectKeyIdentifier: [UInt8] = [0x55, 0x1D, 0x0E]
    /// 2.5.29.17, RFC 5280 §4.2.1.6.
    static let subjectAlternativeName: [UInt8] = [0x55, 0x1D, 0x11]
}
