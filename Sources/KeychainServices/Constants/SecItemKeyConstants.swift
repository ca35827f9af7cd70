import CoreFoundation
import KeychainModel

/// The key's class: public, private or symmetric; a `kSecAttrKeyClass…` value.
nonisolated(unsafe) public let kSecAttrKeyClass: CFString = ConstantString(attribute: .keyClass)
/// A public key.
nonisolated(unsafe) public let kSecAttrKeyClassPublic: CFString = ConstantString("0")
/// A private key.
nonisolated(unsafe) public let kSecAttrKeyClassPrivate: CFString = ConstantString("1")
/// A symmetric key.
nonisolated(unsafe) public let kSecAttrKeyClassSymmetric: CFString = ConstantString("2")
/// The digest of the public key, which connects the halves of a pair.
nonisolated(unsafe) public let kSecAttrApplicationLabel: CFString = ConstantString(
    attribute: .applicationLabel
)
/// The application's own name for a key, as data.
nonisolated(unsafe) public let kSecAttrApplicationTag: CFString = ConstantString(
    attribute: .applicationTag
)
/// The algorithm of a key; a `kSecAttrKeyType…` value.
nonisolated(unsafe) public let kSecAttrKeyType: CFString = ConstantString(attribute: .type)
/// The size of a key in bits.
nonisolated(unsafe) public let kSecAttrKeySizeInBits: CFString = ConstantString(
    attribute: .keySizeInBits
)
/// The number of effective bits of a key.
nonisolated(unsafe) public let kSecAttrEffectiveKeySize: CFString = ConstantString(
    attribute: .effectiveKeySize
)
/// Whether the keychain stores a new key.
nonisolated(unsafe) public let kSecAttrIsPermanent: CFString = ConstantString(
    attribute: .isPermanent
)
/// Whether a key can be exported only in wrapped form.
nonisolated(unsafe) public let kSecAttrIsSensitive: CFString = ConstantString(
    attribute: .isSensitive
)
/// Whether a key can be exported.
nonisolated(unsafe) public let kSecAttrIsExtractable: CFString = ConstantString(
    attribute: .isExtractable
)
/// Whether the key can encrypt.
nonisolated(unsafe) public let kSecAttrCanEncrypt: CFString = ConstantString(attribute: .canEncrypt)
/// Whether the key can decrypt.
nonisolated(unsafe) public let kSecAttrCanDecrypt: CFString = ConstantString(attribute: .canDecrypt)
/// Whether the key can derive other keys.
nonisolated(unsafe) public let kSecAttrCanDerive: CFString = ConstantString(attribute: .canDerive)
/// Whether the key can sign.
nonisolated(unsafe) public let kSecAttrCanSign: CFString = ConstantString(attribute: .canSign)
/// Whether the key can verify signatures.
nonisolated(unsafe) public let kSecAttrCanVerify: CFString = ConstantString(attribute: .canVerify)
/// Whether the key can wrap other keys.
nonisolated(unsafe) public let kSecAttrCanWrap: CFString = ConstantString(attribute: .canWrap)
/// Whether the key can unwrap other keys.
nonisolated(unsafe) public let kSecAttrCanUnwrap: CFString = ConstantString(attribute: .canUnwrap)

// Key types.

/// RSA.
nonisolated(unsafe) public let kSecAttrKeyTypeRSA: CFString = ConstantString("42")
/// An elliptic curve over a prime field (P-256, P-384 or P-521).
nonisolated(unsafe) public let kSecAttrKeyTypeECSECPrimeRandom: CFString = ConstantString("73")
/// An older name of `kSecAttrKeyTypeECSECPrimeRandom`.
nonisolated(unsafe) public let kSecAttrKeyTypeEC: CFString = ConstantString("73")
/// Another name of `kSecAttrKeyTypeECSECPrimeRandom`, from the signature scheme.
nonisolated(unsafe) public let kSecAttrKeyTypeECDSA: CFString = ConstantString("73")
/// DSA.
nonisolated(unsafe) public let kSecAttrKeyTypeDSA: CFString = ConstantString("43")
/// AES.
nonisolated(unsafe) public let kSecAttrKeyTypeAES: CFString = ConstantString("2147483649")
/// DES.
nonisolated(unsafe) public let kSecAttrKeyTypeDES: CFString = ConstantString("14")
/// Triple DES.
nonisolated(unsafe) public let kSecAttrKeyType3DES: CFString = ConstantString("17")
/// RC4.
nonisolated(unsafe) public let kSecAttrKeyTypeRC4: CFString = ConstantString("25")
/// RC2.
nonisolated(unsafe) public let kSecAttrKeyTypeRC2: CFString = ConstantString("23")
/// CAST.
nonisolated(unsafe) public let kSecAttrKeyTypeCAST: CFString = ConstantString("56")

// Parts of a request for a key pair.

/// The attributes of the private key of a new pair.
nonisolated(unsafe) public let kSecPrivateKeyAttrs: CFString = ConstantString("private")
/// The attributes of the public key of a new pair.
nonisolated(unsafe) public let kSecPublicKeyAttrs: CFString = ConstantString("public")
