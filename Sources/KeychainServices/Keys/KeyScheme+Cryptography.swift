import Cryptography
import KeychainModel

// What each scheme is called in the room that carries it out.

extension HashName {
    var algorithm: HashAlgorithm {
        switch self {
        case .sha1: .sha1
        case .sha224: .sha224
        case .sha256: .sha256
        case .sha384: .sha384
        case .sha512: .sha512
        }
    }
}

extension KeyScheme.Input {
    fileprivate var input: SignatureAlgorithm.Input {
        switch self {
        case .digest: .digest
        case .message: .message
        }
    }
}

extension KeyScheme.Encoding {
    fileprivate var encoding: SignatureAlgorithm.ECDSAEncoding {
        switch self {
        case .x962: .x962
        case .rfc4754: .rfc4754
        }
    }
}

extension KeyScheme {
    /// nil for schemes that do not sign.
    var signature: SignatureAlgorithm? {
        switch self {
        case .rsaSignatureRaw: .rsaRaw
        case .rsaSignature(_, _, nil): .rsaPKCS1v15Raw
        case .rsaSignature(.pkcs1v15, let input, let hash?):
            .rsaPKCS1v15(hash.algorithm, input.input)
        case .rsaSignature(.pss, let input, let hash?): .rsaPSS(hash.algorithm, input.input)
        case .ecdsa(let encoding, _, nil): .ecdsaDigest(encoding.encoding)
        case .ecdsa(let encoding, let input, let hash?):
            .ecdsa(hash.algorithm, input.input, encoding.encoding)
        case .eddsa: .ed25519
        case .rsaEncryptionRaw, .rsaEncryptionPKCS1, .rsaOAEP, .ecies, .exchange: nil
        }
    }

    /// nil for schemes that do not encrypt.
    var encryption: EncryptionAlgorithm? {
        switch self {
        case .rsaEncryptionRaw: .rsaRaw
        case .rsaEncryptionPKCS1: .rsaPKCS1v15
        case .rsaOAEP(let hash, aesGCM: false): .rsaOAEP(hash.algorithm)
        case .rsaOAEP(let hash, aesGCM: true): .rsaOAEPAESGCM(hash.algorithm)
        // The cofactor of the NIST curves is 1: both agreements are the same.
        case .ecies(_, let hash, let variableIV):
            .ecies(hash.algorithm, variableIV ? .derived : .zero)
        case .rsaSignatureRaw, .rsaSignature, .ecdsa, .eddsa, .exchange: nil
        }
    }

    /// Whether keys of the kind can be used so.
    func suits(_ kind: KeyKind) -> Bool {
        if let signature { return signature.suits(kind) }
        if let encryption { return encryption.suits(kind) }
        switch kind {
        case .ellipticCurve, .x25519: return true
        case .rsa, .ed25519: return false
        }
    }
}
