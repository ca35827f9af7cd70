import Cryptography
import KeyRepresentation
import KeychainModel
import Secrets

/// An object that a session sees: a stored item, or an object that ends with its session.
struct TokenObject: Sendable {
    /// The item behind an object of the token.
    struct StoredItem: Sendable, Hashable {
        let itemClass: ItemClass
        let reference: [UInt8]
    }

    /// The place of the object.
    enum Place: Sendable, Hashable {
        case token(StoredItem)
        case session(UInt)
    }

    /// The content of the object.
    enum Content: Sendable {
        case certificate(Certificate)
        case publicKey(PublicKey)
        case privateKey(StoredPrivateKey)
        case data(application: [UInt8], SharedSecret?)
        case secretKey(SecretKey)
    }

    /// The part of a private key that a listing shows.
    struct StoredPrivateKey: Sendable {
        let kind: KeyKind
        /// The SHA-1 digest of the public key, which identifies the pair's other items.
        let publicKeyHash: [UInt8]
        var publicKey: PublicKey?
        /// The private key itself, if it is in a session; nil for a key of the token.
        let material: KeyReference?
    }

    /// A secret key, which is always in a session.
    struct SecretKey: Sendable {
        let keyType: KeyTypeNumber
        let value: SharedSecret
    }

    /// The permitted uses of a key.
    struct Uses: OptionSet, Sendable, Hashable {
        let rawValue: UInt16
        static let encrypt = Uses(rawValue: 1)
        static let decrypt = Uses(rawValue: 2)
        static let sign = Uses(rawValue: 4)
        static let verify = Uses(rawValue: 8)
        static let derive = Uses(rawValue: 16)
        static let wrap = Uses(rawValue: 32)
        static let unwrap = Uses(rawValue: 64)
        static let signRecover = Uses(rawValue: 128)
        static let verifyRecover = Uses(rawValue: 256)
    }

    /// The number of the slot.
    let slot: UInt
    let place: Place
    var label: [UInt8]
    var identifier: [UInt8]
    var content: Content
    var uses: Uses = []
    /// Attributes from templates, beyond those from which the object is made.
    var kept = KeptAttributes()

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

    /// Whether the object is visible only after a login.
    var isPrivate: Bool {
        switch content {
        case .privateKey: true
        case .data: kept.flag(.isPrivate) ?? isStored
        case .certificate, .publicKey, .secretKey: kept.flag(.isPrivate) ?? false
        }
    }

    /// The type of a key; nil for other objects.
    var keyType: KeyTypeNumber? {
        switch content {
        case .publicKey(let key): KeyTypeNumber(key.kind)
        case .privateKey(let key): KeyTypeNumber(key.kind)
        case .secretKey(let key): key.keyType
        case .certificate, .data: nil
        }
    }

    /// Whether an attribute is true.
    func isTrue(_ type: AttributeType) -> Bool {
        if case .bytes([1]) = answer(type) { true } else { false }
    }

    /// Whether a program may read secret values.
    var showsSecrets: Bool { isTrue(.extractable) && !isTrue(.sensitive) }

    /// The item of a stored object; nil for an object of a session.
    var item: StoredItem? {
        if case .token(let item) = place { item } else { nil }
    }
}

extension TokenObject.Uses {
    /// Returns the uses that keys of a kind support.
    static func possible(_ kind: KeyKind, isPrivate: Bool) -> TokenObject.Uses {
        switch (kind.family, isPrivate) {
        case (.rsa, true): [.sign, .decrypt, .unwrap]
        case (.rsa, false): [.verify, .encrypt, .wrap]
        case (.ellipticCurve, true): [.sign, .derive]
        case (.ellipticCurve, false), (.ed25519, false): [.verify]
        case (.ed25519, true): [.sign]
        case (.x25519, true): [.derive]
        case (.x25519, false): []
        }
    }

    /// Returns the uses that secret keys of a type support.
    static func possible(_ keyType: KeyTypeNumber) -> TokenObject.Uses {
        keyType == .aes
            ? [.encrypt, .decrypt, .wrap, .unwrap, .derive] : [.sign, .verify]
    }

    // ★ Table: the attributes of items and of templates for each use.
    static let rows: [(use: TokenObject.Uses, item: Attribute, type: AttributeType)] = [
        (.encrypt, .canEncrypt, .encrypt), (.decrypt, .canDecrypt, .decrypt),
        (.sign, .canSign, .sign), (.verify, .canVerify, .verify), (.derive, .canDerive, .derive),
        (.wrap, .canWrap, .wrap), (.unwrap, .canUnwrap, .unwrap),
        (.signRecover, .canSignRecover, .signRecover),
        (.verifyRecover, .canVerifyRecover, .verifyRecover),
    ]

    /// Makes the use that an attribute describes; nil for any other attribute.
    init?(_ type: AttributeType) {
        guard let row = Self.rows.first(where: { $0.type == type }) else { return nil }
        self = row.use
    }

    /// Returns the uses with a template's values; a use that the template omits does not change.
    func applying(_ template: Template) throws(ReturnCode) -> TokenObject.Uses {
        var uses = self
        for row in Self.rows {
            switch try template.flag(row.type) {
            case true?: uses.insert(row.use)
            case false?: uses.remove(row.use)
            case nil: continue
            }
        }
        return uses
    }
}
