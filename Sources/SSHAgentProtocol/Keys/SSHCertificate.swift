import Cryptography

/// A certificate's statements about its key, signed by its issuer.
///
/// - Source: OpenSSH's PROTOCOL.certkeys.
package struct SSHCertificate: Sendable {
    /// The kind of a certificate's subject.
    package enum Kind: UInt32, Sendable {
        case user = 1
        case host = 2
    }

    static let principalLimit = 256

    package let kind: Kind
    package let keyID: String
    /// The users or hosts; an empty list means all of them.
    package let principals: [String]
    /// The period of validity in seconds since 1970, without its end.
    package let validAfter: UInt64
    package let validBefore: UInt64
    /// Whether it has critical options, because of which an agent that does not know them must
    /// refuse it.
    package let hasCriticalOptions: Bool
    /// The blob of the issuer's key, which is not a certificate.
    package let issuer: [UInt8]

    /// Parses the fields after the key, and verifies the signature of everything before it.
    init(
        _ reader: inout SSHReader,
        subject: PublicKey,
        whole: [UInt8]
    ) throws(SSHFormatError) {
        _ = try reader.uint64()
        guard let kind = Kind(rawValue: try reader.uint32()) else { throw .malformed }
        self.kind = kind
        keyID = try reader.text(atMost: 256)
        principals = try Self.principals(try reader.string())
        validAfter = try reader.uint64()
        validBefore = try reader.uint64()
        hasCriticalOptions = !(try reader.string()).isEmpty
        _ = try reader.string()
        _ = try reader.string()
        issuer = try reader.bytes()
        let signed = whole.dropLast(reader.rest.count)
        let signature = try reader.bytes()
        let issuerKey = try Self.key(of: issuer)
        guard try SSHSignature(signature).isValid(for: Array(signed), by: issuerKey) else {
            throw .malformed
        }
    }

    /// Returns the issuer's key.
    ///
    /// A certificate as issuer would need a chain, which SSH does not have.
    private static func key(of blob: [UInt8]) throws(SSHFormatError) -> SSHPublicKey {
        let name = try blob.withUnsafeBufferPointer { buffer throws(SSHFormatError) in
            var reader = SSHReader(UnsafeRawBufferPointer(buffer))
            return try reader.name()
        }
        guard SSHKeyType(name: name)?.isCertificate == false else {
            throw .unsupported("certificates by an issuer with a key of type \(name)")
        }
        return try SSHPublicKey(blob: blob)
    }

    private static func principals(
        _ contents: Slice<UnsafeRawBufferPointer>
    ) throws(SSHFormatError) -> [String] {
        var reader = SSHReader(contents)
        var principals: [String] = []
        while !reader.isAtEnd {
            guard principals.count < principalLimit else { throw .tooMuch("principals") }
            principals.append(try reader.text(atMost: 1024))
        }
        return principals
    }

    /// Whether it is valid for a host at a moment, in seconds since 1970.
    func isValid(forHost host: String, at seconds: UInt64) -> Bool {
        kind == .host && !hasCriticalOptions && validAfter <= seconds && seconds < validBefore
            && principals.contains { $0.lowercased() == host.lowercased() }
    }
}
