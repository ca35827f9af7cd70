// ★ Table: the names of SSH's key types.

import Cryptography

/// A type of key, with its name in the SSH protocol.
///
/// - Source: RFC 4253 §6.6, RFC 5656 §3.1, RFC 8709 §4; OpenSSH's PROTOCOL.certkeys.
package struct SSHKeyType: Sendable, Hashable {
    /// The curve of a key type, with its name and hash; nil for types with only one curve.
    package struct Curve: Sendable, Hashable {
        package let curve: EllipticCurve
        package let name: String
        package let hash: HashAlgorithm
    }

    /// The name without the suffix of certificates, such as `ssh-ed25519`.
    package let plainName: String
    package let family: KeyFamily
    package let curve: Curve?
    package let isCertificate: Bool

    private static let certificateSuffix = "-cert-v01@openssh.com"

    private static let rows: [SSHKeyType] = [
        .init("ssh-ed25519", .ed25519),
        .init("ecdsa-sha2-nistp256", .p256, "nistp256", .sha256),
        .init("ecdsa-sha2-nistp384", .p384, "nistp384", .sha384),
        .init("ecdsa-sha2-nistp521", .p521, "nistp521", .sha512),
        .init("ssh-rsa", .rsa),
    ]

    private init(_ name: String, _ family: KeyFamily) {
        self.init(plainName: name, family: family, curve: nil, isCertificate: false)
    }

    private init(
        _ name: String,
        _ curve: EllipticCurve,
        _ curveName: String,
        _ hash: HashAlgorithm
    ) {
        let curve = Curve(curve: curve, name: curveName, hash: hash)
        self.init(plainName: name, family: .ellipticCurve, curve: curve, isCertificate: false)
    }

    private init(plainName: String, family: KeyFamily, curve: Curve?, isCertificate: Bool) {
        self.plainName = plainName
        self.family = family
        self.curve = curve
        self.isCertificate = isCertificate
    }

    /// Finds the type with a name; nil if it is unknown.
    package init?(name: String) {
        let isCertificate = name.hasSuffix(Self.certificateSuffix)
        let plain = isCertificate ? String(name.dropLast(Self.certificateSuffix.count)) : name
        guard let row = Self.rows.first(where: { $0.plainName == plain }) else { return nil }
        self.init(
            plainName: row.plainName,
            family: row.family,
            curve: row.curve,
            isCertificate: isCertificate
        )
    }

    /// Finds the type of a key without a certificate; nil if it cannot sign for SSH.
    package init?(_ kind: KeyKind) {
        let row = Self.rows.first { row in
            switch kind {
            case .rsa: row.family == .rsa
            case .ed25519: row.family == .ed25519
            case .ellipticCurve(let curve): row.curve?.curve == curve
            case .x25519: false
            }
        }
        guard let row else { return nil }
        self = row
    }

    /// The full name.
    package var name: String { plainName + (isCertificate ? Self.certificateSuffix : "") }

    /// The name for users, such as `ED25519`, as in ssh-keygen(1).
    package var word: String {
        switch family {
        case .rsa: "RSA"
        case .ellipticCurve: "ECDSA"
        case .ed25519, .x25519: "ED25519"
        }
    }
}
