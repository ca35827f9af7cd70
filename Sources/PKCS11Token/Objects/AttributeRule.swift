// ★ Table: what becomes of each attribute, for each class of objects and each operation.

import Cryptography

/// What becomes of an attribute that a template names.
///
/// A template never loses an attribute: it is kept, or it says what is so anyway, or the template
/// is refused.
/// - Source: PKCS #11 Base Specification 2.40 §4, its tables with their footnotes;
///   Documentation/Spec/pkcs11.md §4.
struct AttributeRule: Sendable {
    /// How its value is written.
    enum Form: Sendable {
        case flag, number, date, bytes
        /// Numbers, one after the other.
        case numbers
    }

    /// Where its value comes from.
    enum Origin: Sendable {
        /// The object is made of it.
        case made
        /// It follows from the object: a template may repeat it, and nothing else.
        case same
        /// The token's own word of where a key comes from; a template may repeat it.
        case told([UInt8])
        /// The template's, else this.
        case kept([UInt8])
        /// The template's, else what the kind of key can be used for.
        case use
        /// Accepted, because a program sends it always and it follows from the rest.
        case passedOver
    }

    /// How `C_SetAttributeValue` may change it.
    enum Change: Sendable {
        case never, always
        /// From false to true only, and from true to false only.
        case rises, falls
        /// Never, but a copy may have another value.
        case inCopies
    }

    /// Which keys have it.
    enum Keys: Sendable {
        case all, rsa, curve

        func contain(_ keyType: KeyTypeNumber?) -> Bool {
            switch self {
            case .all: true
            case .rsa: keyType == .rsa
            case .curve: keyType != .rsa
            }
        }
    }

    let type: AttributeType
    let classes: Set<ObjectClass>
    let form: Form
    let origin: Origin
    let change: Change
    let keys: Keys
    /// The only value that an object of the token has; nil for any.
    let inToken: [UInt8]?

    private init(
        _ type: AttributeType,
        _ classes: Set<ObjectClass>,
        _ form: Form,
        _ origin: Origin,
        _ change: Change = .never,
        keys: Keys = .all,
        inToken: [UInt8]? = nil
    ) {
        self.type = type
        self.classes = classes
        self.form = form
        self.origin = origin
        self.change = change
        self.keys = keys
        self.inToken = inToken
    }
}

extension AttributeRule {
    private static let every = Set(ObjectClass.allCases)
    private static let certificate: Set<ObjectClass> = [.certificate]
    private static let data: Set<ObjectClass> = [.data]
    private static let pairs: Set<ObjectClass> = [.publicKey, .privateKey]
    private static let publicKey: Set<ObjectClass> = [.publicKey]
    private static let privateKey: Set<ObjectClass> = [.privateKey]
    private static let secretKey: Set<ObjectClass> = [.secretKey]
    private static let keys: Set<ObjectClass> = [.publicKey, .privateKey, .secretKey]
    private static let hidden: Set<ObjectClass> = [.privateKey, .secretKey]
    private static let encrypting: Set<ObjectClass> = [.publicKey, .secretKey]

    private static let no = Encoding.flag(false)
    private static let yes = Encoding.flag(true)
    private static let zero = Encoding.number(0)

    static let rows: [AttributeRule] =
        common + ofCertificates + ofKeys + ofPublicKeys + ofPrivateKeys + ofSecretKeys

    private static let common: [AttributeRule] = [
        .init(.objectClass, every, .number, .made),
        .init(.token, every, .flag, .made, .inCopies),
        .init(.isPrivate, privateKey, .flag, .same),
        .init(.isPrivate, every.subtracting(privateKey), .flag, .kept(no), .inCopies),
        .init(.modifiable, every, .flag, .kept(yes), .inCopies),
        .init(.destroyable, every, .flag, .kept(yes), .inCopies),
        // A copy in a session would be a key that no lock and no access control closes.
        .init(.copyable, privateKey, .flag, .kept(yes), .falls, inToken: no),
        .init(.copyable, every.subtracting(privateKey), .flag, .kept(yes), .falls),
        .init(.label, every, .bytes, .kept([]), .always),
        .init(.application, data, .bytes, .made),
        .init(.objectID, data, .bytes, .kept([])),
        .init(.value, data, .bytes, .made, .always),
    ]

    private static let ofCertificates: [AttributeRule] = [
        .init(.certificateType, certificate, .number, .made),
        .init(.trusted, certificate, .flag, .same),
        .init(.certificateCategory, certificate, .number, .kept(zero)),
        .init(.checkValue, certificate, .bytes, .same),
        .init(.startDate, certificate, .date, .same),
        .init(.endDate, certificate, .date, .same),
        .init(.publicKeyInfo, certificate, .bytes, .same),
        .init(.subject, certificate, .bytes, .same),
        .init(.issuer, certificate, .bytes, .same),
        .init(.serialNumber, certificate, .bytes, .same),
        .init(.identifier, certificate, .bytes, .kept([]), .always),
        .init(.value, certificate, .bytes, .made),
        .init(.url, certificate, .bytes, .kept([])),
        .init(.subjectKeyHash, certificate, .bytes, .kept([])),
        .init(.issuerKeyHash, certificate, .bytes, .kept([])),
        .init(.nameHashAlgorithm, certificate, .number, .kept(Encoding.number(0x220))),
        .init(.javaSecurityDomain, certificate, .number, .kept(zero)),
        .init(.nssEmail, certificate, .bytes, .passedOver),
    ]

    private static let ofKeys: [AttributeRule] = [
        .init(.keyType, keys, .number, .made),
        .init(.identifier, keys, .bytes, .kept([]), .always),
        .init(.startDate, keys, .date, .kept([]), .always),
        .init(.endDate, keys, .date, .kept([]), .always),
        .init(.derive, keys, .flag, .use, .always),
        .init(.local, keys, .flag, .told(no)),
        // CK_UNAVAILABLE_INFORMATION: nobody wrote down how the key came to be.
        .init(.keyGenerationMechanism, keys, .number, .told(Encoding.number(.max))),
        .init(.allowedMechanisms, keys, .numbers, .kept([])),
        .init(.subject, pairs, .bytes, .kept([]), .always),
        .init(.publicKeyInfo, pairs, .bytes, .same),
        .init(.modulus, pairs, .bytes, .made, keys: .rsa),
        .init(.modulusBits, pairs, .number, .made, keys: .rsa),
        .init(.publicExponent, pairs, .bytes, .made, keys: .rsa),
        .init(.curveParameters, pairs, .bytes, .made, keys: .curve),
        .init(.curvePoint, pairs, .bytes, .made, keys: .curve),
        .init(.trusted, encrypting, .flag, .same),
        .init(.encrypt, encrypting, .flag, .use, .always),
        .init(.wrap, encrypting, .flag, .use, .always),
        .init(.wrapTemplate, encrypting, .bytes, .same),
        .init(.sensitive, privateKey, .flag, .kept(yes), .rises, inToken: yes),
        .init(.extractable, privateKey, .flag, .kept(no), .falls),
        .init(.sensitive, secretKey, .flag, .kept(no), .rises),
        .init(.extractable, secretKey, .flag, .kept(yes), .falls),
        .init(.alwaysSensitive, hidden, .flag, .told(no)),
        .init(.neverExtractable, hidden, .flag, .told(no)),
        .init(.wrapWithTrusted, hidden, .flag, .kept(no), .rises),
        .init(.decrypt, hidden, .flag, .use, .always),
        .init(.sign, hidden, .flag, .use, .always),
        .init(.unwrap, hidden, .flag, .use, .always),
        .init(.unwrapTemplate, hidden, .bytes, .same),
        .init(.deriveTemplate, hidden, .bytes, .same),
    ]

    private static let ofPublicKeys: [AttributeRule] = [
        .init(.verify, publicKey, .flag, .use, .always),
        .init(.verifyRecover, publicKey, .flag, .use, .always),
    ]

    private static let ofPrivateKeys: [AttributeRule] = [
        .init(.signRecover, privateKey, .flag, .use, .always),
        // Of a key in the token, only the keychain can demand this, with an access control.
        .init(.alwaysAuthenticate, privateKey, .flag, .kept(no), inToken: no),
        .init(.privateExponent, privateKey, .bytes, .made, keys: .rsa),
        .init(.prime1, privateKey, .bytes, .made, keys: .rsa),
        .init(.prime2, privateKey, .bytes, .made, keys: .rsa),
        .init(.exponent1, privateKey, .bytes, .made, keys: .rsa),
        .init(.exponent2, privateKey, .bytes, .made, keys: .rsa),
        .init(.coefficient, privateKey, .bytes, .made, keys: .rsa),
        .init(.value, privateKey, .bytes, .made, keys: .curve),
        .init(.nssDatabase, privateKey, .bytes, .passedOver),
    ]

    private static let ofSecretKeys: [AttributeRule] = [
        .init(.verify, secretKey, .flag, .use, .always),
        .init(.checkValue, secretKey, .bytes, .same),
        .init(.value, secretKey, .bytes, .made),
        .init(.valueLength, secretKey, .number, .made),
    ]

    private static let byType = Dictionary(grouping: rows, by: \.type)

    /// The row of an attribute; nil where such an object has no such attribute.
    static func row(
        _ type: AttributeType,
        _ objectClass: ObjectClass,
        _ keyType: KeyTypeNumber?
    ) -> AttributeRule? {
        byType[type]?.first { row in
            row.classes.contains(objectClass) && (keyType == nil || row.keys.contain(keyType))
        }
    }

    /// Whether the bytes are a value of this form; no bytes are a date that is not set.
    func admits(_ value: TemplateValue) -> Bool {
        guard case .bytes(let bytes) = value else { return form == .bytes }
        let size = MemoryLayout<UInt>.size
        return switch form {
        case .flag: bytes == [0] || bytes == [1]
        case .number: bytes.count == size
        case .date: bytes.isEmpty || CalendarDate.isDate(bytes)
        case .bytes: true
        case .numbers: bytes.count % size == 0
        }
    }
}
