// What the keys of the three curves have in common. The files P256, P384 and P521 are one text, up
// to the name of the curve and its hash function.

import Cryptography
import Foundation
import Secrets

/// Reads public keys, and only of the curve that the type says.
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
        let bytes = bytes.withUnsafeBytes { [UInt8]($0) }
        return try CryptoKitError.reporting { () throws(CryptographyError) in
            try PublicKey.compressed(bytes, on: curve)
        }
    }

    static func compact(
        _ bytes: some ContiguousBytes,
        _ curve: EllipticCurve
    ) throws -> PublicKey {
        let bytes = bytes.withUnsafeBytes { [UInt8]($0) }
        return try CryptoKitError.reporting { () throws(CryptographyError) in
            try PublicKey.compact(bytes, on: curve)
        }
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

/// Makes, reads and writes private keys.
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
        let bytes = bytes.withUnsafeBytes { SharedSecretBytes(copying: $0) }
        guard bytes.secret.byteCount == curve.pointByteCount + curve.scalarByteCount else {
            throw CryptoKitError.incorrectKeySize
        }
        return try CryptoKitError.reporting { () throws(CryptographyError) in
            try PrivateKey(family: .ellipticCurve, externalRepresentation: bytes.secret)
        }
    }

    static func alone(
        _ bytes: some ContiguousBytes,
        _ curve: EllipticCurve
    ) throws -> PrivateKey {
        let bytes = bytes.withUnsafeBytes { SharedSecretBytes(copying: $0) }
        return try CryptoKitError.reporting { () throws(CryptographyError) in
            try PrivateKey(scalar: bytes.secret, on: curve)
        }
    }

    static func der(_ der: borrowing Secret, _ curve: EllipticCurve) throws -> PrivateKey {
        let der = SharedSecretBytes(der.duplicate())
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

    static func pem(_ text: String, _ curve: EllipticCurve) throws -> PrivateKey {
        let isSEC1 = text.contains("BEGIN EC PRIVATE KEY")
        let der = try PEM.read(text, isSEC1 ? "EC PRIVATE KEY" : "PRIVATE KEY")
        return try self.der(Secret(copying: der), curve)
    }

    static func export(_ secret: () throws(CryptographyError) -> Secret) -> Data {
        Data(certain(secret).copyBytesUnprotected())
    }
}

/// A secret that closures can share.
typealias SharedSecretBytes = Secrets.SharedSecret

extension Secrets.SharedSecret {
    /// A copy of raw bytes.
    convenience init(copying bytes: UnsafeRawBufferPointer) { self.init(Secret(copying: bytes)) }
}

/// Text around DER (RFC 7468).
enum PEM {
    /// Runs what reads DER.
    static func object<Value>(_ body: () throws(CryptographyError) -> Value) throws -> Value {
        do throws(CryptographyError) { return try body() } catch {
            throw CryptoKitASN1Error.invalidASN1Object
        }
    }

    static func text(_ der: [UInt8], _ label: String) -> String {
        let lines = Data(der).base64EncodedString(options: [
            .lineLength64Characters, .endLineWithLineFeed,
        ])
        return "-----BEGIN \(label)-----\n\(lines)\n-----END \(label)-----"
    }

    static func read(_ text: String, _ label: String) throws -> [UInt8] {
        let lines = text.split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        guard lines.count > 2, lines.first == "-----BEGIN \(label)-----",
            lines.last == "-----END \(label)-----",
            let der = Data(base64Encoded: lines.dropFirst().dropLast().joined())
        else { throw CryptoKitASN1Error.invalidPEMDocument }
        return [UInt8](der)
    }
}
