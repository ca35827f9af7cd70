import Cryptography
import KeyRepresentation
import KeychainModel
import Secrets

/// An object that a session sees: a stored item, or something that lives as long as its session.
struct TokenObject: Sendable {
    /// The item behind an object of the token.
    struct StoredItem: Sendable, Hashable {
        let itemClass: ItemClass
        let reference: [UInt8]
    }

    /// Where the object is.
    enum Place: Sendable, Hashable {
        case token(StoredItem)
        case session(UInt)
    }

    /// What the object is made of.
    enum Content: Sendable {
        case certificate(Certificate)
        case publicKey(PublicKey)
        case privateKey(StoredPrivateKey)
        case data(application: [UInt8], SharedSecret?)
        case secretKey(SecretKey)
    }

    /// A private key as far as a listing shows it.
    struct StoredPrivateKey: Sendable {
        let kind: KeyKind
        /// SHA-1 of the public key, by which other items of the pair are found.
        let publicKeyHash: [UInt8]
        var publicKey: PublicKey?
        /// Only of a key that lives in a session.
        let material: KeyReference?
        let isExtractable: Bool
    }

    /// Whether the value of a secret key may be read.
    struct SecretProtection: Sendable, Hashable {
        let isSensitive: Bool
        let isExtractable: Bool

        var showsValue: Bool { isExtractable && !isSensitive }

        /// What a template says; a value may be read unless it says otherwise.
        init(_ template: Template) throws(ReturnCode) {
            isSensitive = try template.flag(.sensitive) ?? false
            isExtractable = try template.flag(.extractable) ?? true
        }
    }

    /// A secret key, which lives in a session.
    struct SecretKey: Sendable {
        let keyType: KeyTypeNumber
        let value: SharedSecret
        let protection: SecretProtection
    }

    /// What a key may be used for.
    struct Uses: OptionSet, Sendable, Hashable {
        let rawValue: UInt8
        static let encrypt = Uses(rawValue: 1)
        static let decrypt = Uses(rawValue: 2)
        static let sign = Uses(rawValue: 4)
        static let verify = Uses(rawValue: 8)
        static let derive = Uses(rawValue: 16)
    }

    /// The slot's number.
    let slot: UInt
    let place: Place
    var label: [UInt8]
    var identifier: [UInt8]
    var content: Content
    var uses: Uses = []
    /// Whether the template of an object of a session had `CKA_PRIVATE`.
    var isMarkedPrivate = false

    var objectClass: ObjectClass {
        switch content {
        case .certificate: .certificate
        case .publicKey: .publicKey
        case .privateKey: .privateKey
        case .data: .data
        case .secretKey: .secretKey
        }
    }

    var isStored: Bool {
        if case .token = place { true } else { false }
    }

    /// Whether only somebody who is logged in sees it.
    var isPrivate: Bool {
        switch content {
        case .privateKey: true
        case .data: isStored || isMarkedPrivate
        case .certificate, .publicKey, .secretKey: isMarkedPrivate
        }
    }

    /// The item behind it; nil for an object of a session.
    var item: StoredItem? {
        if case .token(let item) = place { item } else { nil }
    }
}

extension TokenObject.Uses {
    /// What keys of a kind can do at all.
    static func possible(_ kind: KeyKind, isPrivate: Bool) -> TokenObject.Uses {
        switch (kind.family, isPrivate) {
        case (.rsa, true): [.sign, .decrypt]
        case (.rsa, false): [.verify, .encrypt]
        case (.ellipticCurve, true): [.sign, .derive]
        case (.ellipticCurve, false), (.ed25519, false): [.verify]
        case (.ed25519, true): [.sign]
        case (.x25519, true): [.derive]
        case (.x25519, false): []
        }
    }

    // ★ Table: the attributes of items and of templates for each use.
    static let rows: [(use: TokenObject.Uses, item: Attribute, type: AttributeType)] = [
        (.encrypt, .canEncrypt, .encrypt), (.decrypt, .canDecrypt, .decrypt),
        (.sign, .canSign, .sign), (.verify, .canVerify, .verify), (.derive, .canDerive, .derive),
    ]
}
