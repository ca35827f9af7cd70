import Cryptography
import Secrets

/// A signature scheme of SSH for a type of key.
package struct SSHSignatureScheme: Sendable, Hashable {
    /// The name at the start of a signature, such as `rsa-sha2-512`.
    package let name: String
    /// The algorithm for libcrypto or a secure element, in which ECDSA signatures are DER.
    package let algorithm: SignatureAlgorithm
    /// The curve of an ECDSA scheme; otherwise nil.
    let curve: EllipticCurve?

    // Flags of a sign request for RSA keys (draft-miller-ssh-agent).
    private static let sha256Flag: UInt32 = 2
    private static let sha512Flag: UInt32 = 4

    /// Chooses the scheme for a key; nil for an RSA key that would have to use SHA-1.
    package init?(_ type: SSHKeyType, flags: UInt32 = SSHSignatureScheme.sha512Flag) {
        switch type.family {
        case .ed25519: self.init(type.plainName, .ed25519)
        case .ellipticCurve:
            guard let curve = type.curve else { return nil }
            self.init(type.plainName, .ecdsa(curve.hash, .message, .x962), curve.curve)
        case .rsa where flags & Self.sha512Flag != 0: self.init(name: "rsa-sha2-512", type)
        case .rsa where flags & Self.sha256Flag != 0: self.init(name: "rsa-sha2-256", type)
        case .rsa, .x25519: return nil
        }
    }

    /// Finds the scheme with a name; nil if keys of the type do not use it.
    init?(name: String, _ type: SSHKeyType) {
        switch (type.family, name) {
        case (.rsa, "rsa-sha2-512"): self.init(name, .rsaPKCS1v15(.sha512, .message))
        case (.rsa, "rsa-sha2-256"): self.init(name, .rsaPKCS1v15(.sha256, .message))
        case (.rsa, _): return nil
        case (_, type.plainName): self.init(type)
        default: return nil
        }
    }

    private init(_ name: String, _ algorithm: SignatureAlgorithm, _ curve: EllipticCurve? = nil) {
        self.name = name
        self.algorithm = algorithm
        self.curve = curve
    }
}

/// A signature in SSH's form.
///
/// - Source: RFC 4253 §6.6, RFC 5656 §3.1.2, RFC 8332 §3, RFC 8709 §6.
package struct SSHSignature: Sendable, Hashable {
    package let name: String
    /// The bytes after the name: two integers for ECDSA, otherwise the signature itself.
    let contents: [UInt8]

    /// Parses a blob, after which nothing may follow.
    package init(_ blob: [UInt8]) throws(SSHFormatError) {
        self = try SSHReader.read(blob) { reader throws(SSHFormatError) in
            SSHSignature(name: try reader.name(), contents: try reader.bytes())
        }
    }

    private init(name: String, contents: [UInt8]) {
        self.name = name
        self.contents = contents
    }

    /// Encodes a signature that libcrypto or a secure element made with the scheme's algorithm.
    package init(
        _ scheme: SSHSignatureScheme,
        signature: [UInt8]
    ) throws(SSHFormatError) {
        name = scheme.name
        guard let curve = scheme.curve else {
            contents = signature
            return
        }
        let numbers = try fromLibrary { () throws(CryptographyError) in
            try ECDSASignature(x962: signature).rfc4754(curve)
        }
        contents = SSHWriter.bytes { writer in
            writer.integer(numbers.prefix(curve.scalarByteCount))
            writer.integer(numbers.suffix(curve.scalarByteCount))
        }
    }

    package var blob: [UInt8] {
        SSHWriter.bytes { writer in
            writer.string(name)
            writer.string(contents)
        }
    }

    /// Whether the key made the signature; a signature with SHA-1 is never valid.
    package func isValid(
        for message: [UInt8],
        by key: SSHPublicKey
    ) throws(SSHFormatError) -> Bool {
        guard let scheme = SSHSignatureScheme(name: name, key.type) else { return false }
        let signature: [UInt8]
        if let curve = scheme.curve {
            signature = try Self.der(contents, curve)
        } else {
            signature = Self.padded(contents, for: key)
        }
        return try fromLibrary { () throws(CryptographyError) in
            try key.key.isValidSignature(signature, for: message, with: scheme.algorithm)
        }
    }

    private static func der(
        _ contents: [UInt8],
        _ curve: EllipticCurve
    ) throws(SSHFormatError) -> [UInt8] {
        let numbers = try SSHReader.read(contents) { reader throws(SSHFormatError) in
            [[UInt8](try reader.integer()), [UInt8](try reader.integer())]
        }
        let count = curve.scalarByteCount
        guard numbers.allSatisfy({ $0.count <= count }) else { throw .malformed }
        let wide = numbers.flatMap { [UInt8](repeating: 0, count: count - $0.count) + $0 }
        guard let signature = ECDSASignature(rfc4754: wide, curve) else { throw .malformed }
        return signature.x962
    }

    /// Returns an RSA signature at full length.
    ///
    /// Some signers omit its leading zeros (RFC 8332 §3).
    private static func padded(_ contents: [UInt8], for key: SSHPublicKey) -> [UInt8] {
        guard case .rsa(let bitCount) = key.key.kind else { return contents }
        let missing = (bitCount + 7) / 8 - contents.count
        return missing > 0 ? [UInt8](repeating: 0, count: missing) + contents : contents
    }
}
