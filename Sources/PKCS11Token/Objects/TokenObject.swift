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
    }

    /// A secret key, which lives in a session.
    struct SecretKey: Sendable {
        let keyType: KeyTypeNumber
        let value: SharedSecret
    }

    /// What a key may be used for.
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

    /// The slot's number.
    let slot: UInt
    let place: Place
    var label: [UInt8]
    var identifier: [UInt8]
    var content: Content
    var uses: Uses = []
    /// What templates said of it beyond what it is made of.
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

    /// Whether only somebody who is logged in sees it.
    var isPrivate: Bool {
        switch content {
        case .privateKey: true
        case .data: kept.flag(.isPrivate) ?? isStored
        case .certificate, .publicKey, .secretKey: kept.flag(.isPrivate) ?? false
        }
    }

    /// The type of a key.
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

    /// Whether a secret value may be read.
    var showsSecrets: Bool { isTrue(.extractable) && !isTrue(.sensitive) }

    /// The item behind it; nil for an object of a session.
    var item: StoredItem? {
        if case .token(let item) = place { item } else { nil }
    }
}

extension TokenObject.Uses {
    /// What keys of a kind can do at all.
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

    /// What secret keys of a type can do at all.
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

    /// The use that an attribute speaks of.
    init?(_ type: AttributeType) {
        guard let row = Self.rows.first(where: { $0.type == type }) else { return nil }
        self = row.use
    }

    /// With what a template says; for each use that it does not name, the kind's answer stands.
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
