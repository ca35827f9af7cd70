import Cryptography

// ★ Table: the mechanisms.

/// A mechanism, identified by its number.
///
/// - Source: PKCS #11 Current Mechanisms 2.40 §2; of Curve25519, 3.0 §2.3.
package struct Mechanism: Sendable {
    /// The computation that the mechanism performs.
    enum Form: Sendable, Hashable {
        case digest(HashFunctionName)
        /// Without a hash, the input is padded or signed directly.
        case rsaPKCS(HashAlgorithm?, HashFunctionName?)
        case rsaPSS(HashAlgorithm?, HashFunctionName?)
        case rsaRaw
        case rsaOAEP
        case ecdsa(HashAlgorithm?, HashFunctionName?)
        case edwards
        case agreement
        case generation(KeyFamily)
        case secretGeneration(KeyTypeNumber)
        /// AES in blocks, with PKCS #7 padding or without padding.
        case cipher(RunningCipher.Mode, pads: Bool)
        /// AES in Galois/counter mode.
        case authenticatedCipher
        case keyWrap(SessionKeyWrap.Padding)
        /// A message authentication code under a secret key.
        case code(HashFunctionName)
        /// A key that consists of encrypted data.
        case encryptedData(RunningCipher.Mode)
    }

    /// The mechanism's number in the C header.
    package let number: UInt
    let form: Form
    /// The sizes of keys, in bits; in bytes for secret keys; zero for a digest.
    package let keySizes: ClosedRange<UInt>
    /// The flags of the operations that the mechanism supports.
    package let flags: UInt

    private init(
        _ number: UInt,
        _ form: Form,
        _ keySizes: ClosedRange<UInt>,
        _ flags: UInt
    ) {
        self.number = number
        self.form = form
        self.keySizes = keySizes
        self.flags = flags
    }

    private static let rsaSizes: ClosedRange<UInt> = 1024...8192
    private static let curveSizes: ClosedRange<UInt> = 256...521
    private static let edwardsSizes: ClosedRange<UInt> = 256...256
    private static let curve =
        Flags.curveOverPrimeField | Flags.namedCurve
        | Flags.uncompressedPoint
    private static let signature = Flags.sign | Flags.verify
    private static let encryption = Flags.encrypt | Flags.decrypt
    private static let wrapping = Flags.wrap | Flags.unwrap
    /// The sizes in bytes, as for all secret keys.
    private static let aesSizes: ClosedRange<UInt> = 16...32
    private static let secretSizes: ClosedRange<UInt> = 1...1024

    /// Every mechanism, in the order in which programs see them.
    package static let all: [Mechanism] = [
        .init(0x0000, .generation(.rsa), rsaSizes, Flags.generateKeyPair),
        .init(0x0001, .rsaPKCS(nil, nil), rsaSizes, signature | encryption | wrapping),
        .init(0x0003, .rsaRaw, rsaSizes, signature | encryption),
        .init(0x0006, .rsaPKCS(.sha1, .sha1), rsaSizes, signature),
        .init(0x0009, .rsaOAEP, rsaSizes, encryption | wrapping),
        .init(0x000D, .rsaPSS(nil, nil), rsaSizes, signature),
        .init(0x000E, .rsaPSS(.sha1, .sha1), rsaSizes, signature),
        .init(0x0040, .rsaPKCS(.sha256, .sha256), rsaSizes, signature),
        .init(0x0041, .rsaPKCS(.sha384, .sha384), rsaSizes, signature),
        .init(0x0042, .rsaPKCS(.sha512, .sha512), rsaSizes, signature),
        .init(0x0043, .rsaPSS(.sha256, .sha256), rsaSizes, signature),
        .init(0x0044, .rsaPSS(.sha384, .sha384), rsaSizes, signature),
        .init(0x0045, .rsaPSS(.sha512, .sha512), rsaSizes, signature),
        .init(0x0210, .digest(.md5), 0...0, Flags.digest),
        .init(0x0220, .digest(.sha1), 0...0, Flags.digest),
        .init(0x0221, .code(.sha1), secretSizes, signature),
        .init(0x0250, .digest(.sha256), 0...0, Flags.digest),
        .init(0x0251, .code(.sha256), secretSizes, signature),
        .init(0x0260, .digest(.sha384), 0...0, Flags.digest),
        .init(0x0261, .code(.sha384), secretSizes, signature),
        .init(0x0270, .digest(.sha512), 0...0, Flags.digest),
        .init(0x0271, .code(.sha512), secretSizes, signature),
        .init(0x0350, .secretGeneration(.genericSecret), secretSizes, Flags.generateKey),
        .init(0x1040, .generation(.ellipticCurve), curveSizes, Flags.generateKeyPair | curve),
        .init(0x1041, .ecdsa(nil, nil), curveSizes, signature | curve),
        .init(0x1042, .ecdsa(.sha1, .sha1), curveSizes, signature | curve),
        .init(0x1044, .ecdsa(.sha256, .sha256), curveSizes, signature | curve),
        .init(0x1045, .ecdsa(.sha384, .sha384), curveSizes, signature | curve),
        .init(0x1046, .ecdsa(.sha512, .sha512), curveSizes, signature | curve),
        .init(0x1050, .agreement, curveSizes, Flags.derive | curve),
        .init(0x1051, .agreement, curveSizes, Flags.derive | curve),
        .init(0x1055, .generation(.ed25519), edwardsSizes, Flags.generateKeyPair),
        .init(0x1057, .edwards, edwardsSizes, signature),
        .init(0x1080, .secretGeneration(.aes), aesSizes, Flags.generateKey),
        .init(0x1081, .cipher(.codebook, pads: false), aesSizes, encryption),
        .init(0x1082, .cipher(.chained, pads: false), aesSizes, encryption),
        .init(0x1085, .cipher(.chained, pads: true), aesSizes, encryption | wrapping),
        .init(0x1086, .cipher(.counted, pads: false), aesSizes, encryption),
        .init(0x1087, .authenticatedCipher, aesSizes, encryption),
        .init(0x1104, .encryptedData(.codebook), aesSizes, Flags.derive),
        .init(0x1105, .encryptedData(.chained), aesSizes, Flags.derive),
        .init(0x2109, .keyWrap(.none), aesSizes, wrapping),
        .init(0x210A, .keyWrap(.padded), aesSizes, wrapping),
    ]

    /// The structure of a mechanism's parameter.
    package enum ParameterForm: Sendable, Hashable {
        case none, pss, oaep, agreement
        /// The 16 bytes of an initialization vector.
        case vector
        case counter, authenticated
        /// Data to encrypt into a key; the second form has a vector before it.
        case data, chainedData
    }

    /// The structure of this mechanism's parameter.
    package var parameterForm: ParameterForm {
        switch form {
        case .rsaPSS: .pss
        case .rsaOAEP: .oaep
        case .agreement: .agreement
        case .cipher(.chained, _): .vector
        case .cipher(.counted, _): .counter
        case .authenticatedCipher: .authenticated
        case .encryptedData(.chained): .chainedData
        case .encryptedData: .data
        case .digest, .rsaPKCS, .rsaRaw, .ecdsa, .edwards, .generation, .secretGeneration,
            .cipher, .keyWrap, .code:
            .none
        }
    }

    private static let byNumber = Dictionary(uniqueKeysWithValues: all.map { ($0.number, $0) })

    /// Returns the mechanism with a number, for one use.
    ///
    /// - Throws: `mechanismInvalid` for an unknown number, or for another use.
    static func named(_ number: UInt, for use: UInt) throws(ReturnCode) -> Mechanism {
        guard let found = byNumber[number], found.flags & use != 0 else {
            throw .mechanismInvalid
        }
        return found
    }

    /// Returns the mechanism with a number; nil if it is unknown.
    package static func named(_ number: UInt) -> Mechanism? { byNumber[number] }
}

/// A mechanism that a caller chose, with its parameter already read from memory.
package struct MechanismCall: Sendable {
    /// The parameter, in one of the structures of the C header.
    package enum Parameter: Sendable {
        case none
        case pss(hash: UInt, mask: UInt, saltByteCount: UInt)
        case oaep(hash: UInt, mask: UInt, source: UInt, label: [UInt8])
        case agreement(derivation: UInt, shared: [UInt8], publicKey: [UInt8])
        case vector([UInt8])
        case counter(bitCount: UInt, block: [UInt8])
        case authenticated(nonce: [UInt8], data: [UInt8], tagBitCount: UInt)
        case encrypted(vector: [UInt8], data: [UInt8])
        /// Bytes in an unknown form.
        case other
    }

    package let number: UInt
    package let parameter: Parameter

    package init(_ number: UInt, _ parameter: Parameter = .none) {
        self.number = number
        self.parameter = parameter
    }
}

/// The numbers of hashes, of mask generation with them, and of key derivation with them.
enum HashNumbers {
    private static let rows: [(hash: HashAlgorithm, digest: UInt, mask: UInt, derivation: UInt)] = [
        (.sha1, 0x220, 1, 2), (.sha224, 0x255, 5, 5), (.sha256, 0x250, 2, 6),
        (.sha384, 0x260, 3, 7), (.sha512, 0x270, 4, 8),
    ]

    /// Returns the hash for a digest's number and a mask's number; nil if they differ.
    static func hash(digest: UInt, mask: UInt) -> HashAlgorithm? {
        rows.first { $0.digest == digest && $0.mask == mask }?.hash
    }

    /// Returns the hash for a digest's number.
    static func hash(digest: UInt) -> HashAlgorithm? { rows.first { $0.digest == digest }?.hash }

    /// Returns the hash for a mask's number.
    static func hash(mask: UInt) -> HashAlgorithm? { rows.first { $0.mask == mask }?.hash }

    /// Returns the hash for the number of an X9.63 derivation.
    static func hash(derivation: UInt) -> HashAlgorithm? {
        rows.first { $0.derivation == derivation }?.hash
    }
}
