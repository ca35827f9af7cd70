// The common functions for the keys of the three curves. The files of P256, P384 and P521 have the
// same text, except for the names of the curve and its hash function.

import Cryptography
import Foundation
import Secrets

/// The reading of public keys, only of the type's curve.
enum NISTPoint {
    static func uncompressed(
        _ bytes: some ContiguousBytes,
        _ curve: EllipticCurve
    ) throws -> PublicKey {
        try read(bytes.withUnsafeBytes { [UInt8]($0) }, curve)
    }

    static func coordinates(
        _ bytes: some ContiguousBytes,
        _ curve: EllipticCurve
    ) throws -> PublicKey {
        try read([4] + bytes.withUnsafeBytes { [UInt8]($0) }, curve)
    }

    static func compressed(
        _ bytes: some ContiguousBytes,
        _ curve: EllipticCurve
    ) throws -> PublicKey {
        try PublicKey.reading(bytes) { bytes throws(CryptographyError) in
            try PublicKey.compressed(bytes, on: curve)
        }
    }

    static func compact(
        _ bytes: some ContiguousBytes,
        _ curve: EllipticCurve
    ) throws -> PublicKey {
        try PublicKey.reading(bytes) { bytes throws(CryptographyError) in
            try PublicKey.compact(bytes, on: curve)
        }
    }

    static func pem(_ text: String, _ curve: EllipticCurve) throws -> PublicKey {
        try der(PEM.read(text, ["PUBLIC KEY"]).secret.copyBytesUnprotected(), curve)
    }

    static func der(_ bytes: [UInt8], _ curve: EllipticCurve) throws -> PublicKey {
        let key = try PEM.object { () throws(CryptographyError) in
            try PublicKey(subjectPublicKeyInfo: bytes)
        }
        guard key.kind == .ellipticCurve(curve) else { throw CryptoKitASN1Error.invalidASN1Object }
        return key
    }

    private static func read(_ bytes: [UInt8], _ curve: EllipticCurve) throws -> PublicKey {
        guard bytes.count == curve.pointByteCount else { throw CryptoKitError.incorrectKeySize }
        return try CryptoKitError.reporting { () throws(CryptographyError) in
            try PublicKey(family: .ellipticCurve, externalRepresentation: bytes)
        }
    }
}

extension PublicKey {
    /// Reads a form of a public key.
    static func reading(
        _ bytes: some ContiguousBytes,
        _ read: ([UInt8]) throws(CryptographyError) -> PublicKey
    ) throws -> PublicKey {
        let bytes = bytes.withUnsafeBytes { [UInt8]($0) }
        return try CryptoKitError.reporting { () throws(CryptographyError) in try read(bytes) }
    }
}

extension PrivateKey {
    /// Reads a form of a private key from a copy that is wiped.
    static func reading(
        _ bytes: some ContiguousBytes,
        _ read: (borrowing Secret) throws(CryptographyError) -> PrivateKey
    ) throws -> PrivateKey {
        let bytes = bytes.withUnsafeBytes { SharedSecretBytes(copying: $0) }
        return try CryptoKitError.reporting { () throws(CryptographyError) in
            try read(bytes.secret)
        }
    }
}

/// The creation, reading and writing of private keys.
enum NISTScalar {
    static func random(_ curve: EllipticCurve, compactRepresentable: Bool) -> PrivateKey {
        certain { () throws(CryptographyError) in
            var key = try PrivateKey.generate(.ellipticCurve(curve))
            while compactRepresentable && key.publicKey.compactPoint == nil {
                key = try PrivateKey.generate(.ellipticCurve(curve))
            }
            return key
        }
    }

    static func withPoint(
        _ bytes: some ContiguousBytes,
        _ curve: EllipticCurve
    ) throws -> PrivateKey {
        let byteCount = curve.pointByteCount + curve.scalarByteCount
        return try PrivateKey.reading(bytes) { bytes throws(CryptographyError) in
            guard bytes.byteCount == byteCount else {
                throw .invalidKeySize(expected: byteCount, actual: bytes.byteCount)
            }
            return try PrivateKey(family: .ellipticCurve, externalRepresentation: bytes)
        }
    }

    static func alone(
        _ bytes: some ContiguousBytes,
        _ curve: EllipticCurve
    ) throws -> PrivateKey {
        try PrivateKey.reading(bytes) { bytes throws(CryptographyError) in
            try PrivateKey(scalar: bytes, on: curve)
        }
    }

    static func der(
        _ bytes: some RandomAccessCollection<UInt8>,
        _ curve: EllipticCurve
    ) throws -> PrivateKey {
        try der(SharedSecretBytes(Secret(copying: bytes)), curve)
    }

    static func pem(_ text: String, _ curve: EllipticCurve) throws -> PrivateKey {
        try der(PEM.read(text, ["PRIVATE KEY", "EC PRIVATE KEY"]), curve)
    }

    private static func der(
        _ der: SharedSecretBytes,
        _ curve: EllipticCurve
    ) throws -> PrivateKey {
        let key = try PEM.object { () throws(CryptographyError) in
            do throws(CryptographyError) {
                return try PrivateKey(pkcs8: der.secret)
            } catch {
                return try PrivateKey(ecPrivateKey: der.secret)
            }
        }
        guard key.kind == .ellipticCurve(curve) else { throw CryptoKitASN1Error.invalidASN1Object }
        return key
    }

    /// Copies a form of a key from memory that is wiped.
    static func export(_ secret: () throws(CryptographyError) -> Secret) -> Data {
        certain(secret).copyDataUnprotected()
    }

    /// Writes PKCS#8 as PEM; the text is the only copy that is not wiped.
    static func exportPEM(_ pkcs8: () throws(CryptographyError) -> Secret) -> String {
        certain(pkcs8).withUnsafeBytes { PEM.text($0, "PRIVATE KEY") }
    }
}

/// The reading, creation and verification of signatures.
enum NISTSignature {
    private static let scheme = SignatureAlgorithm.ecdsaDigest(.rfc4754)

    /// Checks only the size; the verification checks the numbers.
    static func checked(_ raw: some DataProtocol, _ curve: EllipticCurve) throws -> Data {
        guard ECDSASignature(rfc4754: [UInt8](raw), curve) != nil else {
            throw CryptoKitError.incorrectParameterSize
        }
        return Data(raw)
    }

    static func raw(_ der: some DataProtocol, _ curve: EllipticCurve) throws -> Data {
        try PEM.object { () throws(CryptographyError) in
            Data(try ECDSASignature(x962: [UInt8](der)).rfc4754(curve))
        }
    }

    static func der(_ raw: Data, _ curve: EllipticCurve) -> Data {
        Data(ECDSASignature(rfc4754: [UInt8](raw), curve)?.x962 ?? [])
    }

    static func sign(_ digest: some Digest, _ key: PrivateKey) throws -> [UInt8] {
        let digest = digest.withUnsafeBytes { [UInt8]($0) }
        return try CryptoKitError.reporting { () throws(CryptographyError) in
            try key.sign(digest, with: scheme)
        }
    }

    static func isValid(_ raw: Data, of digest: some Digest, _ key: PublicKey) -> Bool {
        let digest = digest.withUnsafeBytes { [UInt8]($0) }
        return (try? key.isValidSignature([UInt8](raw), for: digest, with: scheme)) ?? false
    }
}

/// A secret that closures can share.
typealias SharedSecretBytes = Secrets.SharedSecret

extension Secrets.SharedSecret {
    /// Creates a secret from a copy of raw bytes.
    convenience init(copying bytes: UnsafeRawBufferPointer) { self.init(Secret(copying: bytes)) }
}
