import Secrets

@_implementationOnly import CCrypto

/// A libcrypto key, public or a pair, which is cleansed with its last owner.
///
/// `@unchecked Sendable` is sound because the key never changes after it is made, and libcrypto
/// guards what it caches inside with its own locks.
final class KeyHandle: @unchecked Sendable {
    /// The libcrypto object, owned by this one.
    let pointer: OpaquePointer

    /// Takes over a key.
    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        EVP_PKEY_free(pointer)
    }

    /// The size of the modulus or of the group in bits.
    var bitCount: Int { Int(EVP_PKEY_get_bits(pointer)) }

    /// Generates a new pair.
    ///
    /// - Throws: `backend`.
    static func generate(_ kind: KeyKind) throws(CryptographyError) -> KeyHandle {
        forgetEarlierErrors()
        let context = try require(EVP_PKEY_CTX_new_from_name(nil, kind.algorithmName, nil))
        defer { EVP_PKEY_CTX_free(context) }
        try require(EVP_PKEY_keygen_init(context))
        switch kind {
        case .rsa(let bitCount):
            try require(EVP_PKEY_CTX_set_rsa_keygen_bits(context, Int32(bitCount)))
        case .ellipticCurve(let curve):
            try require(EVP_PKEY_CTX_set_group_name(context, curve.name))
        case .ed25519, .x25519: break
        }
        var key: OpaquePointer?
        try require(EVP_PKEY_generate(context, &key))
        return KeyHandle(owning: try require(key))
    }

    /// Reads one number of the key; see libcrypto's list of key parameters.
    ///
    /// - Throws: `backend` if the key has no such number.
    func integer(_ name: String) throws(CryptographyError) -> SecretInteger {
        forgetEarlierErrors()
        var number: OpaquePointer? = BN_secure_new()
        let result = EVP_PKEY_get_bn_param(pointer, name, &number)
        let integer = SecretInteger(owning: try require(number))
        try require(result)
        return integer
    }

    /// Writes Apple's external representation of the public half; see `PublicKey`.
    ///
    /// - Throws: `backend`.
    func publicRepresentation(of family: KeyFamily) throws(CryptographyError) -> [UInt8] {
        switch family {
        case .rsa: try rsaPublicRepresentation()
        case .ellipticCurve: try uncompressedPoint()
        case .ed25519, .x25519: try rawPublicKey()
        }
    }
}

extension KeyKind {
    /// The name under which libcrypto generates such keys, independent of the process's engines.
    var algorithmName: String {
        switch self {
        case .rsa: CCRYPTO_RSA
        case .ellipticCurve: CCRYPTO_EC
        case .ed25519: CCRYPTO_ED25519
        case .x25519: CCRYPTO_X25519
        }
    }
}
