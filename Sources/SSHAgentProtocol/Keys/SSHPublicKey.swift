import Cryptography
import PlaintextFormats
import Secrets

/// A public key in SSH's form, with or without a certificate.
package struct SSHPublicKey: Sendable, Hashable {
    /// The smallest RSA modulus that may sign, in bits.
    static let rsaBitCountMinimum = 1024

    package let type: SSHKeyType
    package let key: PublicKey
    /// The key's identity in the protocol: type and fields, or the whole certificate.
    package let blob: [UInt8]
    /// The certificate; nil for a plain key.
    package let certificate: SSHCertificate?

    /// Parses a blob, after which nothing may follow.
    ///
    /// Verifies a certificate's signature, so its fields come from its issuer.
    package init(blob: [UInt8]) throws(SSHFormatError) {
        self = try SSHReader.read(blob) { reader throws(SSHFormatError) in
            try SSHPublicKey(&reader, blob)
        }
    }

    private init(_ reader: inout SSHReader, _ blob: [UInt8]) throws(SSHFormatError) {
        let name = try reader.name()
        guard let type = SSHKeyType(name: name) else { throw .unsupported("keys of type \(name)") }
        let nonce = type.isCertificate ? try reader.bytes() : []
        guard nonce.count <= 64 else { throw .malformed }
        self.type = type
        self.blob = blob
        key = try Self.fields(&reader, type)
        certificate =
            type.isCertificate ? try SSHCertificate(&reader, subject: key, whole: blob) : nil
    }

    /// Encodes a key; nil if it cannot sign for SSH.
    package init?(_ key: PublicKey) {
        guard let type = SSHKeyType(key.kind),
            let fields = SSHPublicKey.fields(of: key, type)
        else { return nil }
        self.type = type
        self.key = key
        certificate = nil
        blob = SSHWriter.bytes { writer in writer.string(type.plainName) } + fields
    }

    /// Returns the fields of a key after its type; nil if the key does not have this type.
    static func fields(of key: PublicKey, _ type: SSHKeyType) -> [UInt8]? {
        switch type.family {
        case .ed25519, .x25519:
            return SSHWriter.bytes { $0.string(key.externalRepresentation) }
        case .ellipticCurve:
            return SSHWriter.bytes { writer in
                writer.string(type.curve?.name ?? "")
                writer.string(key.externalRepresentation)
            }
        case .rsa:
            guard let numbers = key.rsaNumbers else { return nil }
            return SSHWriter.bytes { writer in
                writer.integer(numbers.exponent)
                writer.integer(numbers.modulus)
            }
        }
    }

    /// Parses the fields of a key.
    static func fields(
        _ reader: inout SSHReader,
        _ type: SSHKeyType
    ) throws(SSHFormatError) -> PublicKey {
        switch type.family {
        case .ed25519, .x25519: return try key(.ed25519, try reader.bytes())
        case .ellipticCurve:
            guard try reader.name() == type.curve?.name else { throw .malformed }
            let key = try key(.ellipticCurve, try reader.bytes())
            guard SSHKeyType(key.kind)?.curve == type.curve else { throw .malformed }
            return key
        case .rsa:
            let exponent = [UInt8](try reader.integer())
            let modulus = [UInt8](try reader.integer())
            return try rsaKey(modulus: modulus, exponent: exponent)
        }
    }

    static func rsaKey(
        modulus: [UInt8],
        exponent: [UInt8]
    ) throws(SSHFormatError) -> PublicKey {
        let key = try fromLibrary {
            () throws(CryptographyError) in try PublicKey(rsaModulus: modulus, exponent: exponent)
        }
        guard key.kind.bitCount >= rsaBitCountMinimum else {
            throw .unsupported("RSA keys of less than \(rsaBitCountMinimum) bits")
        }
        return key
    }

    private static func key(
        _ family: KeyFamily,
        _ bytes: [UInt8]
    ) throws(SSHFormatError) -> PublicKey {
        try fromLibrary { () throws(CryptographyError) in
            try PublicKey(family: family, externalRepresentation: bytes)
        }
    }

    /// Whether both contain the same key, with or without a certificate.
    package func hasSameKey(as other: SSHPublicKey) -> Bool { key == other.key }

    package static func == (one: SSHPublicKey, other: SSHPublicKey) -> Bool {
        one.blob == other.blob
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(blob) }
}

// Forms for users and for files.
extension SSHPublicKey {
    /// `SHA256:` and the digest of the key without its certificate, as ssh-keygen(1) shows it.
    package var fingerprint: String { fingerprint(.sha256) }

    /// Returns the digest of the key without its certificate, as ssh-keygen(1) shows it.
    package func fingerprint(_ hash: FingerprintHash) -> String {
        hash.fingerprint(of: SSHPublicKey(key)?.blob ?? blob)
    }

    /// Returns type, blob and comment, as in `authorized_keys`.
    package func line(comment: String) -> String {
        let line = "\(type.name) \(Self.base64(blob))"
        return comment.isEmpty ? line : line + " " + comment
    }

    /// Parses the first line of a `.pub` file.
    ///
    /// - Returns: The key, and the comment after it.
    package static func parse(
        line text: String
    ) throws(SSHFormatError) -> (key: SSHPublicKey, comment: String) {
        let line = text.split(separator: "\n", maxSplits: 1).first ?? ""
        let words = line.split(separator: " ", maxSplits: 2)
        guard words.count >= 2 else { throw .malformed }
        let digits = Array(words[1].utf8)
        let blob = digits.withUnsafeBytes { Base64.decode($0)?.copyBytesUnprotected() }
        guard let blob else { throw .malformed }
        let key = try SSHPublicKey(blob: blob)
        guard key.type.name == words[0] else { throw .malformed }
        return (key, words.count > 2 ? String(words[2]) : "")
    }

    static func base64(_ bytes: [UInt8]) -> String {
        var digits: [UInt8] = []
        bytes.withUnsafeBytes { buffer in
            for start in stride(from: 0, to: buffer.count, by: 3) {
                Base64.encode(buffer[start..<min(start + 3, buffer.count)]) { digits.append($0) }
            }
        }
        return String(decoding: digits, as: UTF8.self)
    }
}

/// Runs work of libcrypto.
///
/// A failure becomes `malformed`, because the bytes come from others.
func fromLibrary<Value: ~Copyable>(
    _ work: () throws(CryptographyError) -> Value
) throws(SSHFormatError) -> Value {
    do throws(CryptographyError) { return try work() } catch { throw .malformed }
}
