// ★ Table: the operations of keys, with Apple's identifier for each algorithm.

/// An operation with a key.
package enum KeyOperation: Sendable, Hashable {
    case sign, verify, encrypt, decrypt, exchange

    /// Whether the private half is needed.
    package var needsPrivateKey: Bool {
        switch self {
        case .sign, .decrypt, .exchange: true
        case .verify, .encrypt: false
        }
    }
}

/// An algorithm of a key operation: the value behind a `SecKeyAlgorithm`.
///
/// The NIST curves have the cofactor 1, so the two kinds of agreement differ only in name.
///
/// - Source: requirement KEY-15; the identifiers are Apple's (SecKey.h), so that stored names
///   carry over.
package enum KeyScheme: Sendable, Hashable {
    case signature(SignatureAlgorithm)
    case encryption(EncryptionAlgorithm, cofactor: Bool)
    /// Without a hash: the raw shared secret.
    case exchange(HashAlgorithm?, cofactor: Bool)

    /// Every scheme that has an identifier.
    package static let all: [KeyScheme] =
        signatures.map { .signature($0) } + encryptions + exchanges

    private static let signatures: [SignatureAlgorithm] = {
        var algorithms: [SignatureAlgorithm] = [.rsaRaw, .rsaPKCS1v15Raw, .ed25519]
        algorithms += SignatureAlgorithm.ECDSAEncoding.allCases.map { .ecdsaDigest($0) }
        for hash in HashAlgorithm.allCases {
            for input in SignatureAlgorithm.Input.allCases {
                algorithms += [.rsaPKCS1v15(hash, input), .rsaPSS(hash, input)]
                algorithms += SignatureAlgorithm.ECDSAEncoding.allCases.map {
                    .ecdsa(hash, input, $0)
                }
            }
        }
        return algorithms
    }()

    private static let encryptions: [KeyScheme] = {
        var schemes: [KeyScheme] = [
            .encryption(.rsaRaw, cofactor: false), .encryption(.rsaPKCS1v15, cofactor: false),
        ]
        for hash in HashAlgorithm.allCases {
            schemes.append(.encryption(.rsaOAEP(hash), cofactor: false))
            schemes.append(.encryption(.rsaOAEPAESGCM(hash), cofactor: false))
            for cofactor in [false, true] {
                schemes.append(.encryption(.ecies(hash, .zero), cofactor: cofactor))
                if hash != .sha1 {
                    schemes.append(.encryption(.ecies(hash, .derived), cofactor: cofactor))
                }
            }
        }
        return schemes
    }()

    private static let exchanges: [KeyScheme] = [false, true].flatMap { cofactor in
        [.exchange(nil, cofactor: cofactor)]
            + HashAlgorithm.allCases.map { .exchange($0, cofactor: cofactor) }
    }

    private static let byIdentifier = Dictionary(
        uniqueKeysWithValues: all.map { ($0.identifier, $0) }
    )

    /// Finds the scheme with that identifier; nil for any other text.
    package init?(identifier: String) {
        guard let found = Self.byIdentifier[identifier] else { return nil }
        self = found
    }

    /// Whether keys of the kind support the scheme.
    package func suits(_ kind: KeyKind) -> Bool {
        switch self {
        case .signature(let algorithm): algorithm.suits(kind)
        case .encryption(let algorithm, _): algorithm.suits(kind)
        case .exchange: kind.family == .ellipticCurve || kind.family == .x25519
        }
    }

    /// Whether the scheme is an agreement from which a key is derived.
    package var derivesKey: Bool {
        if case .exchange(.some, _) = self { true } else { false }
    }

    /// Whether the scheme supports the operation.
    package func serves(_ operation: KeyOperation) -> Bool {
        switch self {
        case .signature: operation == .sign || operation == .verify
        case .encryption: operation == .encrypt || operation == .decrypt
        case .exchange: operation == .exchange
        }
    }
}

// Identifiers.
extension KeyScheme {
    /// Apple's text for the scheme, such as `algid:sign:ECDSA:message-X962:SHA256`.
    package var identifier: String {
        switch self {
        case .signature(let algorithm): "algid:sign:" + algorithm.identifier
        case .encryption(let algorithm, let cofactor):
            "algid:encrypt:" + algorithm.identifier(agreement: Self.agreement(cofactor))
        case .exchange(let hash, let cofactor):
            "algid:keyexchange:" + Self.agreement(cofactor)
                + (hash.map { ":KDFX963:" + $0.identifier } ?? "")
        }
    }

    private static func agreement(_ cofactor: Bool) -> String { cofactor ? "ECDHC" : "ECDH" }
}

extension HashAlgorithm {
    fileprivate var identifier: String {
        switch self {
        case .sha1: "SHA1"
        case .sha224: "SHA224"
        case .sha256: "SHA256"
        case .sha384: "SHA384"
        case .sha512: "SHA512"
        }
    }
}

extension SignatureAlgorithm {
    fileprivate var identifier: String {
        switch self {
        case .rsaRaw: "RSA:raw"
        case .rsaPKCS1v15Raw: "RSA:digest-PKCS1v15"
        case .rsaPKCS1v15(let hash, let input):
            "RSA:\(input.identifier)-PKCS1v15:\(hash.identifier)"
        case .rsaPSS(let hash, let input):
            // PSS also names the hash of the mask generation and the length of the salt.
            "RSA:\(input.identifier)-PSS:\(hash.identifier):\(hash.identifier):\(hash.byteCount)"
        case .rsaPSSWith(let hash, let mask, let saltByteCount):
            "RSA:digest-PSS:\(hash.identifier):\(mask.identifier):\(saltByteCount)"
        case .ecdsaDigest(.rfc4754): "ECDSA:RFC4754"
        case .ecdsaDigest(.x962): "ECDSA:digest-X962"
        case .ecdsa(let hash, let input, let encoding):
            "ECDSA:\(input.identifier)-\(encoding.identifier):\(hash.identifier)"
        case .ed25519: "EdDSA:message-Curve25519:SHA512"
        }
    }
}

extension SignatureAlgorithm.Input {
    fileprivate var identifier: String {
        switch self {
        case .digest: "digest"
        case .message: "message"
        }
    }
}

extension SignatureAlgorithm.ECDSAEncoding {
    fileprivate var identifier: String {
        switch self {
        case .x962: "X962"
        case .rfc4754: "RFC4754"
        }
    }
}

extension EncryptionAlgorithm {
    fileprivate func identifier(agreement: String) -> String {
        switch self {
        case .rsaRaw: "RSA:raw"
        case .rsaPKCS1v15: "RSA:PKCS1"
        case .rsaOAEP(let hash): "RSA:OAEP:\(hash.identifier)"
        case .rsaOAEPAESGCM(let hash): "RSA:OAEP:\(hash.identifier):AESGCM"
        case .ecies(let hash, .zero): "ECIES:\(agreement):KDFX963:\(hash.identifier):AESGCM"
        case .ecies(let hash, .derived):
            "ECIES:\(agreement):KDFX963:\(hash.identifier):AESGCM-KDFIV"
        }
    }
}
