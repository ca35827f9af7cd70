import Cryptography
import KeychainModel

// ★ Table: the attributes of a key as an item.
//
// Source: requirements CLS-20, CLS-24, KEY-04; the values are those of Apple's keys.
extension KeyReference {
    /// The uses of the halves of each family: the columns are public, private.
    private static let uses: [(attribute: Attribute, publicHalf: Bool, privateHalf: Bool)] = [
        (.canEncrypt, true, false),
        (.canDecrypt, false, true),
        (.canVerify, true, false),
        (.canSign, false, true),
        (.canWrap, true, false),
        (.canUnwrap, false, true),
        (.canSignRecover, false, false),
        (.canVerifyRecover, false, false),
    ]

    /// The attributes that a query by reference omits, because they belong to the item, not the
    /// key.
    package static let usageAttributes: Set<Attribute> = Set(
        uses.map(\.attribute) + [
            .canDerive, .isPermanent, .isExtractable, .wasNeverExtractable,
        ]
    )

    /// The Boolean attributes.
    package static let flags: Set<Attribute> = usageAttributes.union([
        .isPrivate, .isModifiable, .isSensitive, .wasAlwaysSensitive,
    ])

    /// Returns the attributes under which the key is stored.
    ///
    /// - Throws: `errSecInternalComponent` if the key's identity cannot be computed.
    package func itemAttributes() throws(KeychainError) -> AttributeValues {
        var attributes = Self.attributes(
            of: kind,
            isPrivate: isPrivate,
            isExtractable: isExtractable
        )
        attributes[.applicationLabel] = .data(try publicKeyHash())
        if isElementKey { attributes[.tokenID] = .string(ElementKeyHandle.tokenID) }
        return attributes
    }

    /// Returns the attributes of any key of a kind, before its identity is known.
    package static func attributes(
        of kind: KeyKind,
        isPrivate: Bool,
        isExtractable: Bool
    ) -> AttributeValues {
        var attributes: AttributeValues = [
            .keyClass: .number(isPrivate ? 1 : 0),
            .isPermanent: .number(1),
            // True for public keys too, as on Apple's systems.
            .isPrivate: .number(1),
            .isModifiable: .number(1),
            .type: .number(kind.typeNumber),
            .keySizeInBits: .number(Int64(kind.bitCount)),
            .effectiveKeySize: .number(Int64(kind.bitCount)),
            .isSensitive: .number(0),
            .wasAlwaysSensitive: .number(0),
            .isExtractable: .number(isExtractable ? 1 : 0),
            .wasNeverExtractable: .number(isExtractable ? 0 : 1),
            .canDerive: .number(isPrivate && kind.family != .rsa ? 1 : 0),
        ]
        for use in uses {
            let isTrue = isPrivate ? use.privateHalf : use.publicHalf
            attributes[use.attribute] = .number(isTrue ? 1 : 0)
        }
        // Apple's RSA public keys have this value: the bare operation reverses a signature.
        if kind.family == .rsa { attributes[.canDecrypt] = .number(1) }
        return attributes
    }

    /// Returns SHA-1 of the public key's bytes: the same for both halves and for the certificate.
    ///
    /// It is the key's application label unless its owner names another.
    ///
    /// - Returns: 20 bytes.
    /// - Throws: `errSecInternalComponent` if it cannot be computed.
    package func publicKeyHash() throws(KeychainError) -> [UInt8] {
        try fromCryptography(try publicKey.identity())
    }
}
