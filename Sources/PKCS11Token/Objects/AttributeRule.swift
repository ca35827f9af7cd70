// ★ Table: the treatment of each attribute, for each class of objects and each operation.

import Cryptography

/// The treatment of an attribute in a template.
///
/// No attribute of a template is lost. The object stores it, or has the same value anyway, or the
/// call fails.
/// - Source: PKCS #11 Base Specification 2.40 §4, its tables with their footnotes;
///   Documentation/Spec/pkcs11.md §4.
struct AttributeRule: Sendable {
    /// The encoding of the value.
    enum Form: Sendable {
        case flag, number, date, bytes
        /// Numbers, in sequence.
        case numbers
    }

    /// The source of the value.
    enum Origin: Sendable {
        /// The object is made from the template's value.
        case made
        /// The value follows from the object; a template may only repeat it.
        case same
        /// The token's statement about a key's origin; a template may only repeat it.
        case told([UInt8])
        /// The template's value, or else this default.
        case kept([UInt8])
        /// The template's value, or else the uses that the kind of key has.
        case use
        /// The value is ignored, because programs always send it and it follows from the rest.
        case passedOver
    }

    /// The change that `C_SetAttributeValue` may make.
    enum Change: Sendable {
        case never, always
        /// From false to true only, or from true to false only.
        case rises, falls
        /// No change, but a copy may have another value.
        case inCopies
    }

    /// The keys that have the attribute.
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
    /// The only value that an object of the token can have; nil if it can have any.
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
        // A copy in a session would be a key that no lock and no access control protects.
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
        // CK_UNAVAILABLE_INFORMATION: the origin of the key was not recorded.
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
        // For a key in the token, only an access control in the keychain can require this.
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

    /// Returns the row of an attribute; nil if such an object does not have the attribute.
    static func row(
        _ type: AttributeType,
        _ objectClass: ObjectClass,
        _ keyType: KeyTypeNumber?
    ) -> AttributeRule? {
        byType[type]?.first { row in
            row.classes.contains(objectClass) && (keyType == nil || row.keys.contain(keyType))
        }
    }

    /// Whether the bytes are a value of this form.
    ///
    /// Empty bytes are an unset date.
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
