import Cryptography
import KeychainModel
import Secrets

/// One half of a key pair, which a reference to a key item represents.
package struct KeyReference: Sendable {
    /// The half and its content.
    package enum Material: Sendable {
        case publicKey(PublicKey)
        case privateKey(PrivateKey)
        /// A private half in the secure element, with its handle and the public half.
        case elementKey(ElementKeyHandle, PublicKey)
    }

    /// The half and its content.
    package let material: Material

    /// Whether the bytes of a private key may leave the keychain.
    package let isExtractable: Bool

    /// Refers to a key.
    package init(_ material: Material, isExtractable: Bool = true) {
        self.material = material
        self.isExtractable = isExtractable
    }

    /// The public half.
    package var publicKey: PublicKey {
        switch material {
        case .publicKey(let key): key
        case .privateKey(let key): key.publicKey
        case .elementKey(_, let key): key
        }
    }

    /// Whether it is the private half.
    package var isPrivate: Bool {
        if case .publicKey = material { false } else { true }
    }

    /// Whether the private half is in the secure element.
    package var isElementKey: Bool {
        if case .elementKey = material { true } else { false }
    }

    /// The kind of the key.
    package var kind: KeyKind { publicKey.kind }

    /// The half, type and size, such as `private, RSA, 2048 bits`; never the key's bytes.
    package var words: String {
        "\(isPrivate ? "private" : "public"), \(kind.typeName), \(kind.bitCount) bits"
    }

    /// Returns the bytes of either half, for the keychain to seal; for a key of the secure element,
    /// its handle.
    ///
    /// - Throws: `errSecInternalComponent` if the key cannot be written.
    package func storedRepresentation() throws(KeychainError) -> Secret {
        switch material {
        case .elementKey(let handle, _): return Secret(copying: handle.encoded)
        case .publicKey(let key): return Secret(copying: key.externalRepresentation)
        case .privateKey(let key):
            return try fromCryptography(try key.externalRepresentation())
        }
    }
}

extension KeyReference {
    /// Reads an external representation, or a public RSA key as SubjectPublicKeyInfo.
    ///
    /// - Source: Apple's published Security source reads public RSA keys in both forms, and every
    ///   other key in one.
    /// - Throws: `errSecParam` for bytes that are not such a key.
    package init(
        _ family: KeyFamily,
        isPrivate: Bool,
        bytes: borrowing Secret,
        isExtractable: Bool
    ) throws(KeychainError) {
        self.isExtractable = isExtractable
        material = try fromCryptography(
            isPrivate
                ? .privateKey(try PrivateKey(family: family, externalRepresentation: bytes))
                : .publicKey(try Self.publicKey(family, bytes.copyBytesUnprotected()))
        )
    }

    private static func publicKey(
        _ family: KeyFamily,
        _ bytes: [UInt8]
    ) throws(CryptographyError) -> PublicKey {
        if family == .rsa, let key = try? PublicKey(subjectPublicKeyInfo: bytes),
            key.kind.family == .rsa
        {
            return key
        }
        return try PublicKey(family: family, externalRepresentation: bytes)
    }

    /// Creates a key of the secure element; nil for an invalid handle.
    package init?(handle: ElementKeyHandle?) {
        guard let handle,
            let publicKey = try? PublicKey(
                family: .ellipticCurve,
                externalRepresentation: handle.publicPoint
            )
        else { return nil }
        self.init(.elementKey(handle, publicKey), isExtractable: false)
    }

    /// Reads the key of a stored item; nil for a symmetric one and for bytes that are not a key.
    package init?(stored item: ReferencedItem) {
        if item.attributes[.tokenID] == .string(ElementKeyHandle.tokenID) {
            self.init(handle: ElementKeyHandle(decoding: item.data.secret.copyBytesUnprotected()))
            return
        }
        let parameters = KeyParameters(item.attributes)
        guard let family = parameters.family, let isPrivate = parameters.isPrivate else {
            return nil
        }
        try? self.init(
            family,
            isPrivate: isPrivate,
            bytes: item.data.secret,
            isExtractable: parameters.flag(.isExtractable) ?? true
        )
    }
}
