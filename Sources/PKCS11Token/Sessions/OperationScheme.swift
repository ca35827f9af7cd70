import Cryptography

/// What a mechanism and its parameter mean for a key.
struct OperationScheme {
    let scheme: KeyScheme
    /// The hash that the input goes through first.
    var hash: HashFunctionName?
    /// The size of what comes out at most.
    let byteCount: Int

    /// The signature that a mechanism names.
    ///
    /// - Throws: `keyTypeInconsistent` for a key of another kind, `mechanismParameterInvalid`.
    static func signature(
        _ mechanism: Mechanism,
        _ parameter: MechanismCall.Parameter,
        for kind: KeyKind
    ) throws(ReturnCode) -> OperationScheme {
        let algorithm: SignatureAlgorithm
        var runningHash: HashFunctionName?
        switch mechanism.form {
        case .rsaPSS(let hash, let function):
            algorithm = try pss(hash, parameter)
            runningHash = function
        case .rsaPKCS(let hash, let function):
            try checkAbsent(parameter)
            algorithm = hash.map { .rsaPKCS1v15($0, .digest) } ?? .rsaPKCS1v15Raw
            runningHash = function
        case .rsaRaw:
            try checkAbsent(parameter)
            algorithm = .rsaRaw
        case .ecdsa(let hash, let function):
            try checkAbsent(parameter)
            algorithm = hash.map { .ecdsa($0, .digest, .rfc4754) } ?? .ecdsaDigest(.rfc4754)
            runningHash = function
        case .edwards:
            // Any parameter would ask for Ed25519ph or a context.
            try checkAbsent(parameter)
            algorithm = .ed25519
        default: throw .mechanismInvalid
        }
        guard algorithm.suits(kind) else {
            // A salt for which the key has no room is the parameter's fault.
            if case .rsaPSSWith = algorithm, kind.family == .rsa {
                throw .mechanismParameterInvalid
            }
            throw .keyTypeInconsistent
        }
        let byteCount = kind.family == .rsa ? kind.blockByteCount : 2 * kind.blockByteCount
        return OperationScheme(
            scheme: .signature(algorithm),
            hash: runningHash,
            byteCount: byteCount
        )
    }

    /// The encryption that a mechanism names.
    ///
    /// - Throws: As `signature`.
    static func encryption(
        _ mechanism: Mechanism,
        _ parameter: MechanismCall.Parameter,
        for kind: KeyKind
    ) throws(ReturnCode) -> OperationScheme {
        let algorithm: EncryptionAlgorithm
        switch mechanism.form {
        case .rsaPKCS:
            try checkAbsent(parameter)
            algorithm = .rsaPKCS1v15
        case .rsaRaw:
            try checkAbsent(parameter)
            algorithm = .rsaRaw
        case .rsaOAEP:
            guard case .oaep(let digest, let mask, let source, let label) = parameter,
                let hash = HashNumbers.hash(digest: digest, mask: mask), source <= 1, label.isEmpty
            else { throw .mechanismParameterInvalid }
            algorithm = .rsaOAEP(hash)
        default: throw .mechanismInvalid
        }
        guard algorithm.suits(kind) else { throw .keyTypeInconsistent }
        return OperationScheme(
            scheme: .encryption(algorithm, cofactor: false),
            byteCount: kind.blockByteCount
        )
    }

    private static func checkAbsent(_ parameter: MechanismCall.Parameter) throws(ReturnCode) {
        guard case .none = parameter else { throw .mechanismParameterInvalid }
    }

    /// PSS with its hash, the hash of its mask and the size of its salt.
    private static func pss(
        _ named: HashAlgorithm?,
        _ parameter: MechanismCall.Parameter
    ) throws(ReturnCode) -> SignatureAlgorithm {
        guard case .pss(let digest, let mask, let saltByteCount) = parameter,
            let hash = HashNumbers.hash(digest: digest),
            let maskHash = HashNumbers.hash(mask: mask),
            named == nil || named == hash, let saltByteCount = Int(exactly: saltByteCount)
        else { throw .mechanismParameterInvalid }
        guard maskHash != hash || saltByteCount != hash.byteCount else {
            return .rsaPSS(hash, .digest)
        }
        return .rsaPSSWith(hash, mask: maskHash, saltByteCount: saltByteCount)
    }
}
