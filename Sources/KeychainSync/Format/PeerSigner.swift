import Cryptography
import Secrets

/// The private keys of a device or a recovery key, in a secure element or in memory.
package protocol PeerSigner: Sendable {
    var keys: PeerKeys { get }

    /// Signs a message: ECDSA with SHA-256, 64 bytes.
    func sign(_ message: [UInt8]) throws(SyncError) -> [UInt8]

    /// Agrees on the shared x coordinate with the owner of a public key: 32 bytes.
    ///
    /// - Throws: `damaged` if the bytes are no point of P-256.
    func agree(with publicKey: [UInt8]) throws(SyncError) -> Secret
}

extension PeerSigner {
    package func name() throws(SyncError) -> KeyName { try KeyName(of: keys) }
}

/// A signer with keys in this process's memory, for recovery keys, boxes and tests.
package struct SoftwareSigner: PeerSigner {
    package let keys: PeerKeys
    private let signing: PrivateKey
    private let agreement: PrivateKey

    package init(signing: PrivateKey, agreement: PrivateKey) throws(SyncError) {
        let keys = PeerKeys(
            signing: signing.publicKey.externalRepresentation,
            agreement: agreement.publicKey.externalRepresentation
        )
        guard let keys else { throw .backend("the keys are not of P-256") }
        self.signing = signing
        self.agreement = agreement
        self.keys = keys
    }

    /// Creates a signer for one key agreement; it must never sign.
    init(agreement: PrivateKey) throws(SyncError) {
        try self.init(signing: agreement, agreement: agreement)
    }

    package func sign(_ message: [UInt8]) throws(SyncError) -> [UInt8] {
        try backed { () throws(CryptographyError) in
            try signing.sign(message, with: .syncSignature)
        }
    }

    package func agree(with publicKey: [UInt8]) throws(SyncError) -> Secret {
        do throws(CryptographyError) {
            let point = try PublicKey(family: .ellipticCurve, externalRepresentation: publicKey)
            return try agreement.sharedSecret(with: point)
        } catch { throw SyncError(error, opening: "a public key") }
    }
}

extension SignatureAlgorithm {
    /// The algorithm of every signature in synchronization.
    static let syncSignature = SignatureAlgorithm.ecdsa(.sha256, .message, .rfc4754)
    static let syncSignatureByteCount = 64
}

extension PeerKeys {
    /// Whether both keys are uncompressed points of P-256.
    var arePoints: Bool {
        EllipticCurve.p256.contains(point: signing)
            && EllipticCurve.p256.contains(point: agreement)
    }

    /// Whether the owner of these keys signed a message.
    func hasSigned(_ message: [UInt8], _ signature: [UInt8]) throws(SyncError) -> Bool {
        do throws(CryptographyError) {
            let key = try PublicKey(family: .ellipticCurve, externalRepresentation: signing)
            guard key.kind == .ellipticCurve(.p256) else { return false }
            return try key.isValidSignature(signature, for: message, with: .syncSignature)
        } catch {
            guard case .backend(let reason) = error else { return false }
            throw .backend(reason)
        }
    }
}
