import CoreFoundation
import Cryptography
import KeychainModel
import KeychainReferences
import Secrets

/// A cryptographic key: one half of a pair.
///
/// Two objects for the same half of the same pair are equal.
public final class SecKey: Sendable {
    /// Which half of which pair.
    let reference: KeyReference
    /// How it wants to be used, if somebody has to release it.
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
    /// Whether both are the same half of the same pair.
    public static func == (left: SecKey, right: SecKey) -> Bool {
        left.isPrivate == right.isPrivate && left.publicKey == right.publicKey
    }

    /// Hashes which half of which pair it is.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(isPrivate)
        hasher.combine(publicKey)
    }
}

extension SecKey: CustomStringConvertible {
    /// The half, kind and size; nothing of the key itself.
    public var description: String {
        "SecKey(\(isPrivate ? "private" : "public"), \(kind.typeName), \(kind.bitCount) bits)"
    }
}

extension SecKey: CFTypeIdentified {
    package static let typeIdentifier: CFTypeID = 1_002
}

/// The type id of keys.
public func SecKeyGetTypeID() -> CFTypeID { SecKey.typeIdentifier }

/// The public half of a key; the key itself if it already is public.
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? { SecKey(.publicKey(key.publicKey)) }

/// The size of what the key works on, in bytes: the modulus, a coordinate, or 32.
public func SecKeyGetBlockSize(_ key: SecKey) -> Int { key.kind.blockByteCount }

/// The key's bytes.
///
/// RSA: PKCS#1 in DER. NIST curves: `04 ‖ X ‖ Y`, and `‖ K` of a private key. Curve25519: 32
/// bytes.
///
/// - Returns: nil, with an error, for a key that is not extractable.
/// - Source: Certificate trust.
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
    /// The bytes of either half, for the caller.
    func externalRepresentation() throws(KeychainError) -> Secret {
        guard isExtractable || !isPrivate else {
            throw KeychainError(.keyIsSensitive, "the private key is not extractable")
        }
        return try reference.storedRepresentation()
    }
}

/// Runs the body; what it throws becomes an error object at +1 and nil.
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
