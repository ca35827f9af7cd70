// ★ Table: what a key can be asked to do, with Apple's identifier for each way of doing it.

/// The hash functions that key algorithms name.
package enum HashName: String, CaseIterable, Sendable, Hashable {
    case sha1 = "SHA1"
    case sha224 = "SHA224"
    case sha256 = "SHA256"
    case sha384 = "SHA384"
    case sha512 = "SHA512"

    /// The size of a digest in bytes.
    package var digestByteCount: Int {
        switch self {
        case .sha1: 20
        case .sha224: 28
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }
}

/// What is done with a key.
package enum KeyOperation: Sendable, Hashable {
    case sign, verify, encrypt, decrypt, exchange
}

/// One way of using a key: the value behind a `SecKeyAlgorithm`.
///
/// - Source: requirement KEY-15; identifiers are Apple's (SecKey.h), so that stored names carry
///   over.
package enum KeyScheme: Sendable, Hashable {
    /// Whether a signature is made of a digest or of the message itself.
    package enum Input: String, Sendable, Hashable, CaseIterable { case digest, message }
    /// The two RSA signature paddings.
    package enum Padding: String, Sendable, Hashable, CaseIterable {
        case pkcs1v15 = "PKCS1v15"
        case pss = "PSS"
    }
    /// The two encodings of an ECDSA signature.
    package enum Encoding: String, Sendable, Hashable, CaseIterable {
        case x962 = "X962"
        case rfc4754 = "RFC4754"
    }

    /// What kind of mathematics a key is for.
    package enum Family: Sendable, Hashable, CaseIterable {
        case rsa, ellipticCurve, ed25519, x25519
    }

    case rsaSignatureRaw
    /// Without a hash: PKCS#1 v1.5 over bytes that already are a DigestInfo.
    case rsaSignature(Padding, Input, HashName?)
    /// Without a hash: a digest of any length.
    case ecdsa(Encoding, Input, HashName?)
    case eddsa
    case rsaEncryptionRaw
    case rsaEncryptionPKCS1
    case rsaOAEP(HashName, aesGCM: Bool)
    case ecies(cofactor: Bool, HashName, variableIV: Bool)
    /// Without a hash: the raw shared secret.
    case exchange(cofactor: Bool, HashName?)

    /// Every scheme that has an identifier.
    package static let all: [KeyScheme] = signatures + encryptions + exchanges

    private static let signatures: [KeyScheme] = {
        var schemes: [KeyScheme] = [
            .rsaSignatureRaw, .rsaSignature(.pkcs1v15, .digest, nil),
            .ecdsa(.rfc4754, .digest, nil),
            .ecdsa(.x962, .digest, nil), .eddsa,
        ]
        for hash in HashName.allCases {
            for input in Input.allCases {
                schemes += Padding.allCases.map { .rsaSignature($0, input, hash) }
                schemes += Encoding.allCases.map { .ecdsa($0, input, hash) }
            }
        }
        return schemes
    }()

    private static let encryptions: [KeyScheme] = {
        var schemes: [KeyScheme] = [.rsaEncryptionRaw, .rsaEncryptionPKCS1]
        for hash in HashName.allCases {
            schemes += [.rsaOAEP(hash, aesGCM: false), .rsaOAEP(hash, aesGCM: true)]
            for cofactor in [false, true] {
                schemes.append(.ecies(cofactor: cofactor, hash, variableIV: false))
                if hash != .sha1 {
                    schemes.append(.ecies(cofactor: cofactor, hash, variableIV: true))
                }
            }
        }
        return schemes
    }()

    private static let exchanges: [KeyScheme] = [false, true].flatMap { cofactor in
        [.exchange(cofactor: cofactor, nil)]
            + HashName.allCases.map { .exchange(cofactor: cofactor, $0) }
    }

    private static let byIdentifier = Dictionary(
        uniqueKeysWithValues: all.map { ($0.identifier, $0) }
    )

    /// The scheme with that identifier.
    package init?(identifier: String) {
        guard let found = Self.byIdentifier[identifier] else { return nil }
        self = found
    }
}

extension KeyScheme {
    /// Apple's text for the scheme, such as `algid:sign:ECDSA:message-X962:SHA256`.
    package var identifier: String {
        switch self {
        case .rsaSignatureRaw: "algid:sign:RSA:raw"
        case .rsaSignature(let padding, let input, let hash):
            "algid:sign:RSA:\(input.rawValue)-\(padding.rawValue)" + Self.suffix(padding, hash)
        case .ecdsa(.rfc4754, .digest, nil): "algid:sign:ECDSA:RFC4754"
        case .ecdsa(let encoding, let input, let hash):
            "algid:sign:ECDSA:\(input.rawValue)-\(encoding.rawValue)" + Self.suffix(hash)
        case .eddsa: "algid:sign:EdDSA:message-Curve25519:SHA512"
        case .rsaEncryptionRaw: "algid:encrypt:RSA:raw"
        case .rsaEncryptionPKCS1: "algid:encrypt:RSA:PKCS1"
        case .rsaOAEP(let hash, let aesGCM):
            "algid:encrypt:RSA:OAEP" + Self.suffix(hash) + (aesGCM ? ":AESGCM" : "")
        case .ecies(let cofactor, let hash, let variableIV):
            "algid:encrypt:ECIES:\(Self.agreement(cofactor)):KDFX963" + Self.suffix(hash)
                + (variableIV ? ":AESGCM-KDFIV" : ":AESGCM")
        case .exchange(let cofactor, let hash):
            "algid:keyexchange:\(Self.agreement(cofactor))"
                + (hash == nil ? "" : ":KDFX963" + Self.suffix(hash))
        }
    }

    private static func agreement(_ cofactor: Bool) -> String { cofactor ? "ECDHC" : "ECDH" }

    private static func suffix(_ hash: HashName?) -> String { hash.map { ":" + $0.rawValue } ?? "" }

    /// PSS names the hash of the mask generation and the salt's length too.
    private static func suffix(_ padding: Padding, _ hash: HashName?) -> String {
        guard padding == .pss, let hash else { return suffix(hash) }
        return ":\(hash.rawValue):\(hash.rawValue):\(hash.digestByteCount)"
    }

    /// The families of keys that the scheme is for.
    package var families: Set<Family> {
        switch self {
        case .rsaSignatureRaw, .rsaSignature, .rsaEncryptionRaw, .rsaEncryptionPKCS1, .rsaOAEP:
            [.rsa]
        case .ecdsa, .ecies: [.ellipticCurve]
        case .eddsa: [.ed25519]
        case .exchange: [.ellipticCurve, .x25519]
        }
    }

    /// Whether the scheme serves the operation.
    package func serves(_ operation: KeyOperation) -> Bool {
        switch self {
        case .rsaSignatureRaw, .rsaSignature, .ecdsa, .eddsa:
            operation == .sign || operation == .verify
        case .rsaEncryptionRaw, .rsaEncryptionPKCS1, .rsaOAEP, .ecies:
            operation == .encrypt || operation == .decrypt
        case .exchange: operation == .exchange
        }
    }
}
