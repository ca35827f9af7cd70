import Cryptography

/// The scheme that a mechanism and its parameter describe for a key.
struct OperationScheme {
    let scheme: KeyScheme
    /// The hash that is applied to the input first.
    var hash: HashFunctionName?
    /// The greatest size of the output, in bytes.
    let byteCount: Int

    /// Returns the signature scheme of a mechanism.
    ///
    /// - Throws: `keyTypeInconsistent` for a key of the wrong kind, `mechanismParameterInvalid`.
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
            // A parameter would mean Ed25519ph or a context.
            try checkAbsent(parameter)
            algorithm = .ed25519
        default: throw .mechanismInvalid
        }
        guard algorithm.suits(kind) else {
            // If the salt does not fit the key, the parameter is at fault.
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

    /// Returns the encryption scheme of a mechanism.
    ///
    /// - Throws: The errors of `signature`.
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

    /// Returns PSS with its hash, its mask's hash and the size of its salt.
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
