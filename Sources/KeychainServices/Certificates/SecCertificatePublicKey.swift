import CoreFoundation

/// Returns the public key of the certificate, or nil if this package does not support its type.
///
/// - Source: Apple has this form on iOS.
@available(*, deprecated, message: "Use SecCertificateCopyKey")
@discardableResult
public func SecCertificateCopyPublicKey(_ certificate: SecCertificate) -> SecKey? {
    SecCertificateCopyKey(certificate)
}

/// Retrieves the public key of the certificate.
///
/// - Parameters:
///   - certificate: the certificate.
///   - key: receives the key.
/// - Returns: `errSecSuccess`; `errSecUnsupportedKeyFormat` for a type that this package does not
///   support.
/// - Source: Apple has this form on macOS.
@available(*, deprecated, message: "Use SecCertificateCopyKey")
@discardableResult
public func SecCertificateCopyPublicKey(
    _ certificate: SecCertificate,
    _ key: UnsafeMutablePointer<SecKey?>
) -> OSStatus {
    guard let found = SecCertificateCopyKey(certificate) else { return errSecUnsupportedKeyFormat }
    key.pointee = found
    return errSecSuccess
}
