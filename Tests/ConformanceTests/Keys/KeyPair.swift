import Security
import Testing

/// ★ The kinds of key pairs, each with one pair that the tests share and never change.
struct KeyPair: Sendable, Hashable, CustomTestStringConvertible {
    let testDescription: String
    /// The value of `kSecAttrKeyType`, and of `type` in an item.
    let type: Int
    let bitCount: Int
    let publicByteCount: Int?
    let privateByteCount: Int?
    let blockByteCount: Int
    let privateKey: SecKey
    let publicKey: SecKey

    private init(
        _ name: String,
        type: Int,
        bitCount: Int,
        publicByteCount: Int? = nil,
        privateByteCount: Int? = nil
    ) {
        testDescription = name
        self.type = type
        self.bitCount = bitCount
        self.publicByteCount = publicByteCount
        self.privateByteCount = privateByteCount
        blockByteCount = (bitCount + 7) / 8
        let parameters: Attributes = [
            kSecAttrKeyType: String(type), kSecAttrKeySizeInBits: bitCount,
        ]
        guard let made = SecKeyCreateRandomKey(parameters as CFDictionary, nil),
            let half = SecKeyCopyPublicKey(made)
        else { preconditionFailure("no key pair of the kind \(name)") }
        privateKey = made
        publicKey = half
    }

    static let rsa = KeyPair("RSA 2048", type: 42, bitCount: 2048)
    static let p256 = KeyPair(
        "P-256",
        type: 73,
        bitCount: 256,
        publicByteCount: 65,
        privateByteCount: 97
    )
    static let p384 = KeyPair(
        "P-384",
        type: 73,
        bitCount: 384,
        publicByteCount: 97,
        privateByteCount: 145
    )
    static let p521 = KeyPair(
        "P-521",
        type: 73,
        bitCount: 521,
        publicByteCount: 133,
        privateByteCount: 199
    )
    static let ed25519 = KeyPair(
        "Ed25519",
        type: 105,
        bitCount: 256,
        publicByteCount: 32,
        privateByteCount: 32
    )
    static let x25519 = KeyPair(
        "X25519",
        type: 106,
        bitCount: 256,
        publicByteCount: 32,
        privateByteCount: 32
    )

    private static let otherRSA = KeyPair("another RSA 2048", type: 42, bitCount: 2048)

    static let curves = [p256, p384, p521]
    static let all = [rsa] + curves + [ed25519, x25519]

    /// What generates another pair of the kind.
    var parameters: Attributes {
        [kSecAttrKeyType: String(type), kSecAttrKeySizeInBits: bitCount]
    }

    /// What reads the private or the public half from its bytes.
    func form(isPrivate: Bool) -> Attributes {
        [
            kSecAttrKeyType: String(type),
            kSecAttrKeyClass: isPrivate ? kSecAttrKeyClassPrivate : kSecAttrKeyClassPublic,
        ]
    }

    /// A fresh pair of the kind, of which nothing is stored.
    func another() throws -> SecKey { try #require(Keys.make(parameters).value) }

    /// A key of the kind that is not this pair's; RSA keys take long to make, so it is shared.
    func stranger() throws -> SecKey {
        try self == .rsa ? Self.otherRSA.privateKey : another()
    }

    static func == (left: KeyPair, right: KeyPair) -> Bool {
        left.testDescription == right.testDescription
    }

    func hash(into hasher: inout Hasher) { hasher.combine(testDescription) }
}

/// One half of a pair.
struct KeyHalf: Sendable, CustomTestStringConvertible {
    let pair: KeyPair
    let isPrivate: Bool

    static let all: [KeyHalf] = KeyPair.all.flatMap {
        [KeyHalf(pair: $0, isPrivate: false), KeyHalf(pair: $0, isPrivate: true)]
    }

    var key: SecKey { isPrivate ? pair.privateKey : pair.publicKey }
    var form: Attributes { pair.form(isPrivate: isPrivate) }
    var testDescription: String { "\(pair.testDescription), \(isPrivate ? "private" : "public")" }

    /// The half's external representation.
    func bytes() throws -> Data { try #require(Keys.export(key).value) }
}
