import CoreFoundation
import KeychainHost
import KeychainModel
import KeychainReferences

/// A certificate together with its private key.
///
/// Equal when both halves are.
public final class SecIdentity: Sendable {
    let certificate: SecCertificate
    let privateKey: SecKey

    /// Halves that are known to belong together.
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
    /// Whether certificate and key are the same.
    public static func == (left: SecIdentity, right: SecIdentity) -> Bool {
        left.certificate == right.certificate && left.privateKey == right.privateKey
    }

    /// Hashes the certificate.
    public func hash(into hasher: inout Hasher) { hasher.combine(certificate) }
}

extension SecIdentity: CFTypeIdentified {
    package static let typeIdentifier: CFTypeID = 1_004
}

/// The type id of identities.
public func SecIdentityGetTypeID() -> CFTypeID { SecIdentity.typeIdentifier }

/// The identity's certificate.
@discardableResult
public func SecIdentityCopyCertificate(
    _ identity: SecIdentity,
    _ certificate: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus {
    certificate.pointee = identity.certificate
    return errSecSuccess
}

/// The identity's private key.
@discardableResult
public func SecIdentityCopyPrivateKey(
    _ identity: SecIdentity,
    _ privateKey: UnsafeMutablePointer<SecKey?>
) -> OSStatus {
    privateKey.pointee = identity.privateKey
    return errSecSuccess
}

/// Puts a certificate and its private key together.
///
/// - Returns: nil when the key is not the one that the certificate is about.
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
///   - keychainOrArray: unused: there is one keychain.
///   - certificate: the certificate.
///   - identity: receives both together.
/// - Returns: `errSecItemNotFound` when the keychain has no such key; `errSecUnimplemented` where
///   the system profile is not macOS's.
/// - Source: Item classes guide.
@discardableResult
public func SecIdentityCreateWithCertificate(
    _ keychainOrArray: CFTypeRef?,
    _ certificate: SecCertificate,
    _ identity: UnsafeMutablePointer<SecIdentity?>
) -> OSStatus {
    guard Connection.profiles.system.ignoresMatchKeysInWrites else { return errSecUnimplemented }
    var query: AttributeDictionary = [
        QueryKey.itemClass.rawValue: .string(ItemClass.key.rawValue),
        QueryKey.returnReference.rawValue: .bool(true),
    ]
    query[Attribute.keyClass] = .number(1)
    query.publicKeyHash = certificate.certificate.publicKeyHash
    do throws(KeychainError) {
        let reply = try Connection.endpoint().send(.copyMatching(query))
        guard let key = ResultBridge(query: [:]).object(of: reply) as? SecKey,
            let made = SecIdentityCreate(nil, certificate, key)
        else { return errSecItemNotFound }
        identity.pointee = made
        return errSecSuccess
    } catch {
        return error.status.rawValue
    }
}
