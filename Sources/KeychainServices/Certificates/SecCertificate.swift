import CoreFoundation
import Cryptography

/// An X.509 certificate (RFC 5280), which may or may not be trustworthy.
///
/// Two certificates with the same bytes are equal. Use ``SecTrust`` to find out whether to trust
/// one.
public final class SecCertificate: Sendable {
    let certificate: Certificate

    init(_ certificate: Certificate) { self.certificate = certificate }

    /// Creates the object for stored bytes; nil if they are not a certificate.
    convenience init?(der: [UInt8]) {
        guard let certificate = try? Certificate(der: der) else { return nil }
        self.init(certificate)
    }
}

extension SecCertificate: Hashable {
    /// Returns whether both certificates have the same bytes.
    public static func == (left: SecCertificate, right: SecCertificate) -> Bool {
        left.certificate == right.certificate
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) { hasher.combine(certificate) }
}

extension SecCertificate: CustomStringConvertible {
    /// The summary of the subject, such as `SecCertificate(example.com)`.
    public var description: String {
        "SecCertificate(\(certificate.subjectSummary ?? "no subject"))"
    }
}

extension SecCertificate: CFTypeIdentified {
    package static let typeIdentifier: CFTypeID = 1_003
}

/// Returns the type id of certificates.
@discardableResult
public func SecCertificateGetTypeID() -> CFTypeID { SecCertificate.typeIdentifier }

/// Reads a certificate from its DER encoding.
///
/// - Parameters:
///   - allocator: unused.
///   - data: exactly one certificate in DER.
/// - Returns: the certificate, or nil for any other bytes, including PEM.
/// - Source: RFC 5280.
@discardableResult
public func SecCertificateCreateWithData(
    _ allocator: CFAllocator?,
    _ data: CFData
) -> SecCertificate? {
    SecCertificate(der: data.byteArray)
}

/// Returns the certificate in DER.
@discardableResult
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData {
    NSData(data: Data(certificate.certificate.der))
}

/// Returns a name to display for the certificate: its common name, or the next best part.
@discardableResult
public func SecCertificateCopySubjectSummary(_ certificate: SecCertificate) -> CFString? {
    certificate.certificate.subjectSummary.map { NSString(string: $0) }
}

/// Retrieves the subject's common name.
///
/// - Parameters:
///   - certificate: the certificate.
///   - commonName: receives the name, or nil if the subject has none.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecCertificateCopyCommonName(
    _ certificate: SecCertificate,
    _ commonName: UnsafeMutablePointer<CFString?>
) -> OSStatus {
    commonName.pointee = certificate.certificate.commonName.map { NSString(string: $0) }
    return errSecSuccess
}

/// Retrieves the certificate's e-mail addresses.
///
/// - Parameters:
///   - certificate: the certificate.
///   - emailAddresses: receives an array of strings, which may be empty.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecCertificateCopyEmailAddresses(
    _ certificate: SecCertificate,
    _ emailAddresses: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    emailAddresses.pointee = NSArray(array: certificate.certificate.emailAddresses)
    return errSecSuccess
}

/// Returns the bytes of the serial number's INTEGER, with its leading zero if it has one.
@discardableResult
public func SecCertificateCopySerialNumberData(
    _ certificate: SecCertificate,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    NSData(data: Data(certificate.certificate.serialNumber))
}

/// Returns the content of the issuer's name in DER, normalized for comparison.
@discardableResult
public func SecCertificateCopyNormalizedIssuerSequence(_ certificate: SecCertificate) -> CFData? {
    NSData(data: Data(certificate.certificate.issuer.normalizedContent))
}

/// Returns the content of the subject's name in DER, normalized for comparison.
@discardableResult
public func SecCertificateCopyNormalizedSubjectSequence(_ certificate: SecCertificate) -> CFData? {
    NSData(data: Data(certificate.certificate.subject.normalizedContent))
}

/// Returns the public key of the certificate, or nil if this package does not support its type.
@discardableResult
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? {
    certificate.certificate.publicKey.map { SecKey(.publicKey($0)) }
}

/// Returns the first moment at which the certificate is valid.
@discardableResult
public func SecCertificateCopyNotValidBeforeDate(_ certificate: SecCertificate) -> CFDate? {
    NSDate(timeIntervalSinceReferenceDate: Double(certificate.certificate.notBefore))
}

/// Returns the last moment at which the certificate is valid.
@discardableResult
public func SecCertificateCopyNotValidAfterDate(_ certificate: SecCertificate) -> CFDate? {
    NSDate(timeIntervalSinceReferenceDate: Double(certificate.certificate.notAfter))
}
