import CoreFoundation
import KeyRepresentation
import KeychainHost
import KeychainModel

/// A certificate together with its private key.
///
/// Two identities are equal if their certificates and their keys are equal.
public final class SecIdentity: Sendable {
    let certificate: SecCertificate
    let privateKey: SecKey

    /// Creates an identity from two halves that are known to match.
    init(_ certificate: SecCertificate, _ privateKey: SecKey) {
        self.certificate = certificate
        self.privateKey = privateKey
    }

    convenience init(
        _ reference: IdentityReference,
        _ authentication: KeyAuthentication? = nil
    ) {
        self.init(
            SecCertificate(reference.certificate),
            SecKey(reference.privateKey, authentication)
        )
    }

    var reference: IdentityReference {
        IdentityReference(certificate.certificate, privateKey.reference)
    }
}

extension SecIdentity: Hashable {
    /// Returns whether both identities have the same certificate and key.
    public static func == (left: SecIdentity, right: SecIdentity) -> Bool {
        left.certificate == right.certificate && left.privateKey == right.privateKey
    }

    /// Hashes the certificate.
    public func hash(into hasher: inout Hasher) { hasher.combine(certificate) }
}

extension SecIdentity: CFTypeIdentified {
    package static let typeIdentifier: CFTypeID = 1_004
}

/// Returns the type id of identities.
@discardableResult
public func SecIdentityGetTypeID() -> CFTypeID { SecIdentity.typeIdentifier }

/// Retrieves the identity's certificate.
///
/// - Parameters:
///   - identity: the identity.
///   - certificate: receives the certificate.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecIdentityCopyCertificate(
    _ identity: SecIdentity,
    _ certificate: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus {
    certificate.pointee = identity.certificate
    return errSecSuccess
}

/// Retrieves the identity's private key.
///
/// - Parameters:
///   - identity: the identity.
///   - privateKey: receives the key.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecIdentityCopyPrivateKey(
    _ identity: SecIdentity,
    _ privateKey: UnsafeMutablePointer<SecKey?>
) -> OSStatus {
    privateKey.pointee = identity.privateKey
    return errSecSuccess
}

/// Creates an identity from a certificate and its private key.
///
/// - Returns: the identity, or nil if the key is public or does not belong to the certificate.
@discardableResult
public func SecIdentityCreate(
    _ allocator: CFAllocator?,
    _ certificate: SecCertificate,
    _ privateKey: SecKey
) -> SecIdentity? {
    guard privateKey.isPrivate, privateKey.publicKey == certificate.certificate.publicKey else {
        return nil
    }
    return SecIdentity(certificate, privateKey)
}

/// Finds the private key for a certificate, as on macOS.
///
/// - Parameters:
///   - keychainOrArray: unused, because there is only one keychain.
///   - certificate: the certificate.
///   - identity: receives the certificate with its key.
/// - Returns: `errSecSuccess`; `errSecItemNotFound` if the keychain has no such key;
///   `errSecUnimplemented` if the system profile is not a version of macOS.
/// - Source: Apple documents this function for macOS only.
@discardableResult
public func SecIdentityCreateWithCertificate(
    _ keychainOrArray: CFTypeRef?,
    _ certificate: SecCertificate,
    _ identity: UnsafeMutablePointer<SecIdentity?>
) -> OSStatus {
    guard RequestRouter.profiles.system.ignoresMatchKeysInWrites else { return errSecUnimplemented }
    var query: AttributeDictionary = [
        QueryKey.itemClass.rawValue: .string(ItemClass.key.rawValue),
        QueryKey.returnReference.rawValue: .bool(true),
    ]
    query[Attribute.keyClass] = .number(1)
    query.publicKeyHash = certificate.certificate.publicKeyHash
    do throws(KeychainError) {
        let reply = try RequestRouter.endpoint().send(.copyMatching(query))
        guard let key = ResultBridge(query: [:]).object(of: reply) as? SecKey,
            let made = SecIdentityCreate(nil, certificate, key)
        else { return errSecItemNotFound }
        identity.pointee = made
        return errSecSuccess
    } catch {
        return error.status.rawValue
    }
}
