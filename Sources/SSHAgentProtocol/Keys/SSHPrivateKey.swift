import Cryptography
import Secrets

/// A private key from an agent's client or a key file, with the blob that identifies it.
package struct SSHPrivateKey: Sendable {
    /// The blob of the key, or of its certificate.
    package let publicKey: SSHPublicKey
    package let key: PrivateKey

    /// Parses the type and fields, as in "add identity" and in OpenSSH's key files.
    ///
    /// Checks that the halves belong together, and that a certificate is about the key.
    /// - Source: draft-miller-ssh-agent §3.2; OpenSSH's PROTOCOL.key.
    package init(_ reader: inout SSHReader) throws(SSHFormatError) {
        let name = try reader.name()
        guard let type = SSHKeyType(name: name) else { throw .unsupported("keys of type \(name)") }
        if type.isCertificate {
            publicKey = try SSHPublicKey(blob: try reader.bytes())
            guard publicKey.type == type else { throw .malformed }
            key = try Self.certified(publicKey, &reader)
        } else {
            key = try Self.fields(&reader, type)
            guard let made = SSHPublicKey(key.publicKey) else { throw .malformed }
            publicKey = made
        }
        guard key.publicKey == publicKey.key else { throw .malformed }
    }

    /// Combines a key with its certificate, if there is one.
    package init(_ key: PrivateKey, certificate: SSHPublicKey? = nil) throws(SSHFormatError) {
        guard let publicKey = certificate ?? SSHPublicKey(key.publicKey),
            publicKey.key == key.publicKey
        else { throw .malformed }
        self.key = key
        self.publicKey = publicKey
    }

    private static func fields(
        _ reader: inout SSHReader,
        _ type: SSHKeyType
    ) throws(SSHFormatError) -> PrivateKey {
        switch type.family {
        case .ed25519, .x25519: return try ed25519(&reader, try reader.bytes())
        case .ellipticCurve:
            guard let curve = type.curve, try reader.name() == curve.name else {
                throw .malformed
            }
            let point = try reader.bytes()
            let key = try scalarKey(&reader, curve.curve)
            guard key.publicKey.externalRepresentation == point else { throw .malformed }
            return key
        case .rsa:
            let modulus = [UInt8](try reader.integer())
            let exponent = [UInt8](try reader.integer())
            let publicKey = try SSHPublicKey.rsaKey(modulus: modulus, exponent: exponent)
            return try rsa(&reader, publicKey)
        }
    }

    /// Parses the private half of a key whose certificate contains the public half.
    private static func certified(
        _ publicKey: SSHPublicKey,
        _ reader: inout SSHReader
    ) throws(SSHFormatError) -> PrivateKey {
        switch publicKey.type.family {
        case .ed25519, .x25519: return try ed25519(&reader, try reader.bytes())
        case .ellipticCurve:
            guard let curve = publicKey.type.curve else { throw .malformed }
            return try scalarKey(&reader, curve.curve)
        case .rsa: return try rsa(&reader, publicKey.key)
        }
    }

    /// Parses 64 bytes: the private half, then the public one again.
    private static func ed25519(
        _ reader: inout SSHReader,
        _ point: [UInt8]
    ) throws(SSHFormatError) -> PrivateKey {
        let both = try reader.string()
        let count = KeyKind.curve25519ByteCount
        guard both.count == 2 * count, both.dropFirst(count).elementsEqual(point) else {
            throw .malformed
        }
        let half = Secret(copying: UnsafeRawBufferPointer(rebasing: both.prefix(count)))
        let key = try fromLibrary { () throws(CryptographyError) in
            try PrivateKey(family: .ed25519, externalRepresentation: half)
        }
        guard key.publicKey.externalRepresentation == point else { throw .malformed }
        return key
    }

    private static func scalarKey(
        _ reader: inout SSHReader,
        _ curve: EllipticCurve
    ) throws(SSHFormatError) -> PrivateKey {
        let digits = try reader.integer()
        let missing = curve.scalarByteCount - digits.count
        guard missing >= 0 else { throw .malformed }
        let scalar = Secret(byteCount: curve.scalarByteCount) { target in
            UnsafeMutableRawBufferPointer(rebasing: target[missing...]).copyBytes(from: digits)
        }
        return try fromLibrary { () throws(CryptographyError) in
            try PrivateKey(scalar: scalar, on: curve)
        }
    }

    /// Parses the exponent, the inverse of q modulo p, and the primes.
    private static func rsa(
        _ reader: inout SSHReader,
        _ publicKey: PublicKey
    ) throws(SSHFormatError) -> PrivateKey {
        let exponent = try reader.secretInteger()
        let inverse = try reader.secretInteger()
        let first = try reader.secretInteger()
        let second = try reader.secretInteger()
        return try fromLibrary { () throws(CryptographyError) in
            try PrivateKey(
                rsa: publicKey,
                exponent: exponent,
                primes: first,
                second,
                inverseOfSecond: inverse
            )
        }
    }
}
