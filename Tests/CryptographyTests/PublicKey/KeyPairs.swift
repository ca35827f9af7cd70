import Cryptography
import Secrets

/// One key pair of each kind, made once: RSA keys take long.
enum KeyPairs {
    static let kinds: [KeyKind] = [
        .rsa(bitCount: 1024), .rsa(bitCount: 2048), .ellipticCurve(.p256), .ellipticCurve(.p384),
        .ellipticCurve(.p521), .ed25519, .x25519,
    ]

    /// The pair of a kind; a new one unless it is RSA.
    static func pair(_ kind: KeyKind) throws -> PrivateKey {
        try pairs.get()[kind] ?? PrivateKey.generate(kind)
    }

    /// Another pair of the kind.
    static func stranger(_ kind: KeyKind) throws -> PrivateKey {
        try strangers.get()[kind] ?? PrivateKey.generate(kind)
    }

    private static let pairs = Result { try makeRSAPairs() }
    private static let strangers = Result { try makeRSAPairs() }

    private static func makeRSAPairs() throws -> [KeyKind: PrivateKey] {
        let rsa = kinds.filter { $0.family == .rsa }
        return try Dictionary(uniqueKeysWithValues: rsa.map { ($0, try PrivateKey.generate($0)) })
    }
}

extension KeyKind {
    /// What `openssl genpkey` has to be told.
    var openSSLOptions: String {
        switch self {
        case .rsa(let bitCount): "-algorithm RSA -pkeyopt rsa_keygen_bits:\(bitCount)"
        case .ellipticCurve(let curve):
            "-algorithm EC -pkeyopt ec_paramgen_curve:P-\(curve.bitCount)"
        case .ed25519: "-algorithm ED25519"
        case .x25519: "-algorithm X25519"
        }
    }
}

extension PrivateKey {
    /// Copies the pair through its external representation.
    func copied() throws -> PrivateKey {
        try PrivateKey(family: kind.family, externalRepresentation: externalRepresentation())
    }
}
