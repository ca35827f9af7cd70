// The objects that Network.framework takes in place of those of Security.
import CoreFoundation

/// An identity, with the certificates that connect it to a root.
public final class OS_sec_identity: Sendable {
    fileprivate let identity: SecIdentity
    fileprivate let certificates: [SecCertificate]

    fileprivate init(_ identity: SecIdentity, _ certificates: [SecCertificate]) {
        self.identity = identity
        self.certificates = certificates
    }
}

/// A certificate.
public final class OS_sec_certificate: Sendable {
    fileprivate let certificate: SecCertificate

    fileprivate init(_ certificate: SecCertificate) { self.certificate = certificate }
}

/// A trust object.
public final class OS_sec_trust: Sendable {
    fileprivate let trust: SecTrust

    fileprivate init(_ trust: SecTrust) { self.trust = trust }
}

/// An identity, with the certificates that connect it to a root.
public typealias sec_identity_t = OS_sec_identity
/// A certificate.
public typealias sec_certificate_t = OS_sec_certificate
/// A trust object.
public typealias sec_trust_t = OS_sec_trust

/// Returns an object for an identity.
@discardableResult
public func sec_identity_create(_ identity: SecIdentity) -> sec_identity_t? {
    OS_sec_identity(identity, [])
}

/// Returns an object for an identity and the certificates that connect it to a root.
///
/// - Returns: the object, or nil if the array has other objects than certificates.
@discardableResult
public func sec_identity_create_with_certificates(
    _ identity: SecIdentity,
    _ certificates: CFArray
) -> sec_identity_t? {
    let found = certificates.compactMap { ($0 as AnyObject) as? SecCertificate }
    return found.count == certificates.count ? OS_sec_identity(identity, found) : nil
}

/// Returns the identity of an object.
@discardableResult
public func sec_identity_copy_ref(_ identity: sec_identity_t) -> Unmanaged<SecIdentity>? {
    Unmanaged.passRetained(identity.identity)
}

/// Returns the certificates of an object, or nil if it was created without.
@discardableResult
public func sec_identity_copy_certificates_ref(_ identity: sec_identity_t) -> Unmanaged<CFArray>? {
    guard !identity.certificates.isEmpty else { return nil }
    return Unmanaged.passRetained(NSArray(array: identity.certificates))
}

/// Returns an object for a certificate.
@discardableResult
public func sec_certificate_create(_ certificate: SecCertificate) -> sec_certificate_t? {
    OS_sec_certificate(certificate)
}

/// Returns the certificate of an object.
@discardableResult
public func sec_certificate_copy_ref(
    _ certificate: sec_certificate_t
) -> Unmanaged<SecCertificate> {
    Unmanaged.passRetained(certificate.certificate)
}

/// Returns an object for a trust object.
@discardableResult
public func sec_trust_create(_ trust: SecTrust) -> sec_trust_t? { OS_sec_trust(trust) }

/// Returns the trust object of an object.
public func sec_trust_copy_ref(_ trust: sec_trust_t) -> Unmanaged<SecTrust> {
    Unmanaged.passRetained(trust.trust)
}
