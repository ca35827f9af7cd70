import CoreFoundation
import Cryptography
import KeyRepresentation
import KeychainModel
import Secrets

/// A cryptographic key: the public or the private half of a pair.
///
/// Two objects for the same half of the same pair are equal.
public final class SecKey: Sendable {
    /// The pair, and the half of it.
    let reference: KeyReference
    /// The authentication for its use, if that needs a proof.
    let authentication: KeyAuthentication?

    init(_ reference: KeyReference, _ authentication: KeyAuthentication? = nil) {
        self.reference = reference
        self.authentication = authentication
    }

    convenience init(_ material: KeyReference.Material, isExtractable: Bool = true) {
        self.init(KeyReference(material, isExtractable: isExtractable))
    }

    var material: KeyReference.Material { reference.material }
    /// Whether the bytes of a private key may leave the object.
    var isExtractable: Bool { reference.isExtractable }
    /// The public half.
    var publicKey: PublicKey { reference.publicKey }
    var isPrivate: Bool { reference.isPrivate }
    var kind: KeyKind { reference.kind }
}

extension SecKey: Hashable {
    /// Returns whether both keys are the same half of the same pair.
    public static func == (left: SecKey, right: SecKey) -> Bool {
        left.isPrivate == right.isPrivate && left.publicKey == right.publicKey
    }

    /// Hashes the half and the public key.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(isPrivate)
        hasher.combine(publicKey)
    }
}

extension SecKey: CustomStringConvertible {
    /// The half, type and size, such as `SecKey(private, RSA, 2048 bits)`; never the key's bytes.
    public var description: String { "SecKey(\(reference.words))" }
}

extension SecKey: CFTypeIdentified {
    package static let typeIdentifier: CFTypeID = 1_002
}

/// Returns the type id of keys.
@discardableResult
public func SecKeyGetTypeID() -> CFTypeID { SecKey.typeIdentifier }

/// Returns the public half of a key, or an equal key if it is public already.
@discardableResult
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? { SecKey(.publicKey(key.publicKey)) }

/// Returns the key's block size in bytes: its modulus, one coordinate of its curve, or 32 for
/// Curve25519.
@discardableResult
public func SecKeyGetBlockSize(_ key: SecKey) -> Int { key.kind.blockByteCount }

/// Returns the key's bytes.
///
/// - RSA: PKCS#1 in DER (RFC 8017).
/// - NIST curves: `04 ‖ X ‖ Y` (X9.63), followed by `K` for a private key.
/// - Curve25519: 32 bytes.
///
/// - Parameters:
///   - key: either half.
///   - error: receives, at +1, an error of `NSOSStatusErrorDomain`.
/// - Returns: the bytes. Returns nil for a private key that is not extractable; then the error's
///   code is `errSecKeyIsSensitive`.
/// - Source: Apple's "Storing keys as data".
@discardableResult
public func SecKeyCopyExternalRepresentation(
    _ key: SecKey,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    report(in: error) { () throws(KeychainError) in
        let secret = try key.externalRepresentation()
        return secret.withUnsafeBytes { NSData(data: Data($0)) }
    }
}

extension SecKey {
    /// Returns the bytes of either half, for the caller.
    func externalRepresentation() throws(KeychainError) -> Secret {
        guard isExtractable || !isPrivate else {
            throw KeychainError(.keyIsSensitive, "the private key is not extractable")
        }
        return try reference.storedRepresentation()
    }
}

/// Runs the body; an error becomes an error object at +1 and nil.
func report<R>(
    in error: UnsafeMutablePointer<Unmanaged<CFError>?>?,
    _ body: () throws(KeychainError) -> R
) -> R? {
    do throws(KeychainError) {
        return try body()
    } catch let failure {
        error?.pointee = .passRetained(NSError(status: failure.status, message: failure.reason))
        return nil
    }
}
