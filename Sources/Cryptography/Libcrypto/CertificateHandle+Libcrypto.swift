import Glibc

@_implementationOnly import CCrypto

/// A libcrypto certificate.
///
/// `@unchecked Sendable` is sound because the certificate never changes after it is made, and
/// libcrypto guards what it caches inside with its own locks.
final class CertificateHandle: @unchecked Sendable {
    /// The libcrypto object, owned by this one.
    let pointer: OpaquePointer

    /// Reads a certificate.
    ///
    /// libcrypto also reads some BER, which it would write back as other bytes.
    ///
    /// - Throws: `invalidInput` if libcrypto cannot, if bytes follow, or if it is not DER.
    init(der: [UInt8]) throws(CryptographyError) {
        forgetEarlierErrors()
        let pointer = der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var cursor = bytes.baseAddress
            let certificate = d2i_X509(nil, &cursor, bytes.count)
            guard cursor == bytes.baseAddress?.advanced(by: bytes.count) else {
                X509_free(certificate)
                return nil
            }
            return certificate
        }
        forgetEarlierErrors()
        guard let pointer else { throw .invalidInput("not a certificate in DER") }
        self.pointer = pointer
        guard Self.der(of: pointer) == der else { throw .invalidInput("not a certificate in DER") }
    }

    deinit {
        X509_free(pointer)
    }

    /// Returns the first and the last second of validity, counted from 2001-01-01 00:00:00 UTC.
    ///
    /// - Throws: `invalidInput` if either is not a time.
    func validity() throws(CryptographyError) -> (notBefore: Int64, notAfter: Int64) {
        (
            try Self.seconds(X509_get0_notBefore(pointer)),
            try Self.seconds(X509_get0_notAfter(pointer))
        )
    }

    /// Whether the other certificate's key signed this one.
    func isSigned(by issuer: CertificateHandle) -> Bool {
        forgetEarlierErrors()
        defer { forgetEarlierErrors() }
        guard let key = X509_get0_pubkey(issuer.pointer) else { return false }
        return X509_verify(pointer, key) == 1
    }

    /// Writes the certificate in DER; never `nil` unless memory is short.
    static func der(of certificate: OpaquePointer) -> [UInt8]? {
        encodedDER { i2d_X509(certificate, $0) }
    }

    /// Seconds between 1970 and 2001.
    static let referenceDateOffset: Int64 = 978_307_200

    private static func seconds(
        _ time: UnsafePointer<ASN1_TIME>?
    ) throws(CryptographyError) -> Int64 {
        var parts = tm()
        // libcrypto would read a null pointer as the present moment.
        guard let time, ASN1_TIME_to_tm(time, &parts) == 1 else {
            throw .invalidInput("certificate without a period of validity")
        }
        return Int64(timegm(&parts)) - referenceDateOffset
    }
}
