/// The AlgorithmIdentifier of a key, which names its family and curve.
///
/// - Source: RFC 5280 §4.1.1.2, RFC 3279 §2.3.1, RFC 5480 §2.1, RFC 8410 §3.
enum KeyAlgorithmIdentifier: Hashable {
    case rsa
    case ellipticCurve(EllipticCurve)
    case ed25519
    case x25519

    /// Creates the identifier of a kind of key.
    init(_ kind: KeyKind) {
        switch kind {
        case .rsa: self = .rsa
        case .ellipticCurve(let curve): self = .ellipticCurve(curve)
        case .ed25519: self = .ed25519
        case .x25519: self = .x25519
        }
    }

    /// Reads the content of an AlgorithmIdentifier.
    ///
    /// - Returns: `nil` for an algorithm or a curve that is not known here.
    /// - Throws: `invalidInput` if it is malformed.
    static func read<Bytes>(
        from contents: DERReader<Bytes>
    ) throws(CryptographyError) -> KeyAlgorithmIdentifier? {
        var reader = contents
        let algorithm = [UInt8](try reader.read(DERTag.objectIdentifier))
        switch algorithm {
        case ObjectIdentifier.rsaEncryption:
            guard try reader.readIfPresent(DERTag.null)?.isEmpty ?? true else {
                throw .malformedDER
            }
            try reader.finish()
            return .rsa
        case ObjectIdentifier.ecPublicKey:
            // Curves that are spelled out instead of named have another tag here.
            guard let name = try reader.readIfPresent(DERTag.objectIdentifier) else { return nil }
            try reader.finish()
            let curve = EllipticCurve.allCases.first { name.elementsEqual($0.objectIdentifier) }
            return curve.map(Self.ellipticCurve)
        case ObjectIdentifier.ed25519:
            try reader.finish()
            return .ed25519
        case ObjectIdentifier.x25519:
            try reader.finish()
            return .x25519
        default: return nil
        }
    }

    /// The whole AlgorithmIdentifier in DER.
    var der: [UInt8] {
        switch self {
        case .rsa:
            let algorithm = ObjectIdentifier.rsaEncryption
            return DER.sequence(
                DER.element(DERTag.objectIdentifier, algorithm),
                DER.element(DERTag.null, [])
            )
        case .ellipticCurve(let curve):
            return DER.sequence(
                DER.element(DERTag.objectIdentifier, ObjectIdentifier.ecPublicKey),
                DER.element(DERTag.objectIdentifier, curve.objectIdentifier)
            )
        case .ed25519:
            let algorithm = ObjectIdentifier.ed25519
            return DER.sequence(DER.element(DERTag.objectIdentifier, algorithm))
        case .x25519:
            let algorithm = ObjectIdentifier.x25519
            return DER.sequence(DER.element(DERTag.objectIdentifier, algorithm))
        }
    }

    /// The family the identifier belongs to.
    var family: KeyFamily {
        switch self {
        case .rsa: .rsa
        case .ellipticCurve: .ellipticCurve
        case .ed25519: .ed25519
        case .x25519: .x25519
        }
    }

    /// Whether a key is of the kind that was announced.
    func describes(_ kind: KeyKind) -> Bool {
        self == KeyAlgorithmIdentifier(kind)
    }
}

extension CryptographyError {
    /// The error for bytes that announce a key of an unknown kind, or on an unknown curve.
    package static let unknownKeyKind = CryptographyError.invalidInput("key of an unknown kind")
}
