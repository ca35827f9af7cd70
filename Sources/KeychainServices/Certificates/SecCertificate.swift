import CoreFoundation
import Cryptography

/// An X.509 certificate; having one says nothing about whether to trust it.
///
/// Equal by its bytes.
public final class SecCertificate: Sendable {
    let certificate: Certificate

    init(_ certificate: Certificate) { self.certificate = certificate }

    /// The object for stored bytes; nil when they are no certificate.
    convenience init?(der: [UInt8]) {
        guard let certificate = try? Certificate(der: der) else { return nil }
        self.init(certificate)
    }
}

extension SecCertificate: Hashable {
    /// Whether both have the same bytes.
    public static func == (left: SecCertificate, right: SecCertificate) -> Bool {
        left.certificate == right.certificate
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) { hasher.combine(certificate) }
}

extension SecCertificate: CustomStringConvertible {
    /// The subject's summary.
    public var description: String {
        "SecCertificate(\(certificate.subjectSummary ?? "no subject"))"
    }
}

extension SecCertificate: CFTypeIdentified {
    package static let typeIdentifier: CFTypeID = 1_003
}

/// The type id of certificates.
public func SecCertificateGetTypeID() -> CFTypeID { SecCertificate.typeIdentifier }

/// Reads a certificate.
///
/// - Parameters:
///   - allocator: unused.
///   - data: one certificate in DER and nothing else.
/// - Returns: nil for anything else, PEM included.
/// - Source: Item classes guide.
public func SecCertificateCreateWithData(
    _ allocator: CFAllocator?,
    _ data: CFData
) -> SecCertificate? {
    SecCertificate(der: data.byteArray)
}

/// The certificate in DER.
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData {
    NSData(data: Data(certificate.certificate.der))
}

/// What to show a person for the certificate: its common name or the best there is.
public func SecCertificateCopySubjectSummary(_ certificate: SecCertificate) -> CFString? {
    certificate.certificate.subjectSummary.map { NSString(string: $0) }
}

/// The subject's common name.
///
/// - Returns: `errSecSuccess`; the name is nil when there is none.
@discardableResult
public func SecCertificateCopyCommonName(
    _ certificate: SecCertificate,
    _ commonName: UnsafeMutablePointer<CFString?>
) -> OSStatus {
    commonName.pointee = certificate.certificate.commonName.map { NSString(string: $0) }
    return errSecSuccess
}

/// The e-mail addresses, perhaps none.
@discardableResult
public func SecCertificateCopyEmailAddresses(
    _ certificate: SecCertificate,
    _ emailAddresses: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    emailAddresses.pointee = NSArray(array: certificate.certificate.emailAddresses)
    return errSecSuccess
}

/// The content of the serial number's INTEGER, leading zero kept.
public func SecCertificateCopySerialNumberData(
    _ certificate: SecCertificate,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    NSData(data: Data(certificate.certificate.serialNumber))
}

/// The content of the issuer's name, normalized for comparison.
public func SecCertificateCopyNormalizedIssuerSequence(_ certificate: SecCertificate) -> CFData? {
    NSData(data: Data(certificate.certificate.issuer.normalizedContent))
}

/// The content of the subject's name, normalized for comparison.
public func SecCertificateCopyNormalizedSubjectSequence(_ certificate: SecCertificate) -> CFData? {
    NSData(data: Data(certificate.certificate.subject.normalizedContent))
}

/// The certified public key; nil for a kind that is not known here.
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? {
    certificate.certificate.publicKey.map { SecKey(.publicKey($0)) }
}

/// The first moment at which the certificate is valid.
public func SecCertificateCopyNotValidBeforeDate(_ certificate: SecCertificate) -> CFDate? {
    NSDate(timeIntervalSinceReferenceDate: Double(certificate.certificate.notBefore))
}

/// The last moment at which the certificate is valid.
public func SecCertificateCopyNotValidAfterDate(_ certificate: SecCertificate) -> CFDate? {
    NSDate(timeIntervalSinceReferenceDate: Double(certificate.certificate.notAfter))
}
