import Cryptography
import KeyRepresentation
import KeychainModel
import Secrets

extension AttributeValue {
    /// The bytes of a text or of data.
    fileprivate var byteString: [UInt8]? {
        switch self {
        case .string(let text): Array(text.utf8)
        case .data(let bytes): bytes
        default: nil
        }
    }
}

// Items as objects.
extension TokenObject {
    /// The object of an item that a search returned; nil for an item that is no object here.
    ///
    /// - Source: Documentation/Spec/pkcs11.md §3.
    init?(_ itemClass: ItemClass, _ found: ItemDictionary, slot: UInt) {
        guard let reference = found.persistentReference else { return nil }
        let attributes = found.attributes
        let named = attributes[.label]?.byteString
        self.slot = slot
        place = .token(StoredItem(itemClass: itemClass, reference: reference))
        label = named ?? []
        identifier = attributes[.alias]?.byteString ?? []
        switch itemClass {
        case .certificate:
            guard let der = found.data?.secret.copyBytesUnprotected(),
                let certificate = try? Certificate(der: der)
            else { return nil }
            content = .certificate(certificate)
            if identifier.isEmpty { identifier = certificate.publicKeyHash }
        case .key:
            let hash = attributes[.applicationLabel]?.byteString ?? []
            guard let content = Self.key(found, hash) else { return nil }
            self.content = content
            if identifier.isEmpty { identifier = hash }
            uses = Self.uses(content, attributes)
        case .genericPassword:
            guard attributes[.service]?.byteString != Self.undoService else { return nil }
            content = .data(application: attributes[.service]?.byteString ?? [], nil)
            label = named ?? attributes[.account]?.byteString ?? []
        case .internetPassword, .identity: return nil
        }
    }

    /// Of the records of `keychainctl migrate`, which are no passwords of a person: without them,
    /// `--undo` cannot bring back what was moved.
    ///
    /// - Source: Documentation/Spec/migration.md, "Undo".
    private static let undoService = Array("keychain-migrate.undo".utf8)

    private static func key(_ found: ItemDictionary, _ hash: [UInt8]) -> Content? {
        let parameters = KeyParameters(found.attributes)
        guard let isPrivate = parameters.isPrivate else { return nil }
        guard isPrivate else {
            guard let item = found.reference, let key = KeyReference(stored: item) else {
                return nil
            }
            return .publicKey(key.publicKey)
        }
        let found: KeyKind?
        do throws(KeychainError) { found = try parameters.kind() } catch { found = nil }
        guard let kind = found else { return nil }
        return .privateKey(
            StoredPrivateKey(
                kind: kind,
                publicKeyHash: hash,
                publicKey: nil,
                material: nil,
                isExtractable: parameters.flag(.isExtractable) ?? true
            )
        )
    }

    private static func uses(_ content: Content, _ attributes: AttributeValues) -> Uses {
        let possible: Uses
        switch content {
        case .publicKey(let key): possible = .possible(key.kind, isPrivate: false)
        case .privateKey(let key): possible = .possible(key.kind, isPrivate: true)
        case .certificate, .data, .secretKey: return []
        }
        let parameters = KeyParameters(attributes)
        return Uses.rows.reduce(into: []) { uses, row in
            if possible.contains(row.use), parameters.flag(row.item) ?? true {
                uses.insert(row.use)
            }
        }
    }
}

// Templates as objects.
extension TokenObject {
    /// What a template describes, before anybody knows where it is kept.
    struct Draft: Sendable {
        let content: Content
        let key: KeyReference?
        var uses: Uses = []
    }

    /// Reads the template of `C_CreateObject`.
    ///
    /// - Throws: `templateIncomplete`, `templateInconsistent`, `attributeValueInvalid`.
    static func draft(_ template: Template) throws(ReturnCode) -> Draft {
        switch try template.objectClass() {
        case .certificate: return try certificate(template)
        case .publicKey:
            let key = try publicKey(template)
            return Draft(
                content: .publicKey(key),
                key: KeyReference(.publicKey(key)),
                uses: try uses(template, .possible(key.kind, isPrivate: false))
            )
        case .privateKey:
            return try draft(
                ofPrivateKey: try privateKey(template),
                template
            )
        case .data:
            let value =
                template.values[.value] == nil
                ? SharedSecret(Secret(copying: [UInt8]())) : try template.requiredSecret(.value)
            let application = template.bytes(.application) ?? []
            return Draft(content: .data(application: application, value), key: nil)
        case .secretKey: return try secretKey(template)
        }
    }

    /// The private half of a pair, with what its template says of it.
    static func draft(
        ofPrivateKey key: PrivateKey,
        _ template: Template
    ) throws(ReturnCode) -> Draft {
        let isExtractable = try template.flag(.extractable) ?? false
        let reference = KeyReference(.privateKey(key), isExtractable: isExtractable)
        let content = StoredPrivateKey(
            kind: key.kind,
            publicKeyHash: try fromKeychain(try reference.publicKeyHash()),
            publicKey: key.publicKey,
            material: reference,
            isExtractable: isExtractable
        )
        return Draft(
            content: .privateKey(content),
            key: reference,
            uses: try uses(template, .possible(key.kind, isPrivate: true))
        )
    }

    private static func certificate(_ template: Template) throws(ReturnCode) -> Draft {
        guard try template.number(.certificateType) ?? 0 == 0 else {
            throw .attributeValueInvalid
        }
        let der = try template.required(.value)
        let certificate = try fromCryptography(try Certificate(der: der))
        return Draft(content: .certificate(certificate), key: nil)
    }

    private static func keyType(_ template: Template) throws(ReturnCode) -> KeyTypeNumber {
        guard let number = try template.number(.keyType) else { throw .templateIncomplete }
        guard let keyType = KeyTypeNumber(rawValue: number) else { throw .attributeValueInvalid }
        return keyType
    }

    private static func publicKey(_ template: Template) throws(ReturnCode) -> PublicKey {
        let keyType = try keyType(template)
        guard keyType != .rsa else {
            let modulus = try template.required(.modulus)
            let exponent = try template.required(.publicExponent)
            return try fromCryptography(
                try PublicKey(rsaModulus: modulus, exponent: exponent)
            )
        }
        let kind = try curve(template, keyType)
        let bytes = try template.required(.curvePoint)
        let point = PublicKey.point(octetString: bytes) ?? bytes
        let key = try fromCryptography(
            try PublicKey(family: kind.family, externalRepresentation: point)
        )
        guard key.kind == kind else { throw .attributeValueInvalid }
        return key
    }

    /// The curve that a template names, which has to fit the type of the key.
    static func curve(
        _ template: Template,
        _ keyType: KeyTypeNumber
    ) throws(ReturnCode) -> KeyKind {
        let parameters = try template.required(.curveParameters)
        guard let kind = KeyKind(curveParameters: parameters), KeyTypeNumber(kind) == keyType else {
            throw .attributeValueInvalid
        }
        return kind
    }

    private static func privateKey(_ template: Template) throws(ReturnCode) -> PrivateKey {
        let keyType = try keyType(template)
        if keyType == .rsa {
            let numbers = PrivateKey.RSANumbers(
                privateExponent: try template.requiredSecret(.privateExponent),
                prime1: try template.requiredSecret(.prime1),
                prime2: try template.requiredSecret(.prime2),
                exponent1: try template.requiredSecret(.exponent1),
                exponent2: try template.requiredSecret(.exponent2),
                coefficient: try template.requiredSecret(.coefficient)
            )
            let modulus = try template.required(.modulus)
            let exponent = try template.required(.publicExponent)
            return try fromCryptography(
                try PrivateKey(rsaModulus: modulus, exponent: exponent, numbers)
            )
        }
        let kind = try curve(template, keyType)
        let value = try template.requiredSecret(.value)
        guard let curve = kind.curve else {
            return try fromCryptography(
                try PrivateKey(family: kind.family, externalRepresentation: value.secret)
            )
        }
        let scalar = try padded(value, to: curve.scalarByteCount)
        return try fromCryptography(try PrivateKey(scalar: scalar.secret, on: curve))
    }

    /// A number at full width: programs leave out zeros in front, and some add one.
    private static func padded(
        _ number: SharedSecret,
        to byteCount: Int
    ) throws(ReturnCode) -> SharedSecret {
        let padded = number.secret.withUnsafeBytes { bytes -> SharedSecret? in
            let digits = UnsafeRawBufferPointer(rebasing: bytes.drop { $0 == 0 })
            guard digits.count <= byteCount else { return nil }
            return SharedSecret(
                Secret(byteCount: byteCount) { target in
                    let end = target[(byteCount - digits.count)...]
                    UnsafeMutableRawBufferPointer(rebasing: end).copyMemory(from: digits)
                }
            )
        }
        guard let padded else { throw .attributeValueInvalid }
        return padded
    }

    private static func secretKey(_ template: Template) throws(ReturnCode) -> Draft {
        let keyType = try keyType(template)
        guard keyType.isSecret else { throw .attributeValueInvalid }
        let value = try template.requiredSecret(.value)
        guard keyType != .aes || [16, 24, 32].contains(value.secret.byteCount) else {
            throw .attributeValueInvalid
        }
        let protection = try SecretProtection(template)
        let key = SecretKey(keyType: keyType, value: value, protection: protection)
        return Draft(content: .secretKey(key), key: nil)
    }

    /// The uses that a template leaves a key.
    static func uses(_ template: Template, _ possible: Uses) throws(ReturnCode) -> Uses {
        var uses = possible
        for row in Uses.rows {
            if try template.flag(row.type) == false { uses.remove(row.use) }
        }
        return uses
    }
}

// Objects as items.
extension TokenObject.Draft {
    /// The dictionary of an add.
    ///
    /// - Throws: `templateInconsistent` for an object that only a session can hold.
    func item(label: [UInt8], identifier: [UInt8]) throws(ReturnCode) -> AttributeDictionary {
        var own: AttributeDictionary = [:]
        if !label.isEmpty { own[.label] = .data(label) }
        var hash: [UInt8] = []
        let item: AttributeDictionary
        switch content {
        case .certificate(let certificate):
            hash = certificate.publicKeyHash
            item = ReferenceExpansion.adding(certificate, to: own)
        case .publicKey, .privateKey:
            guard let key else { throw .templateInconsistent }
            hash = try fromKeychain(try key.publicKeyHash())
            for row in TokenObject.Uses.rows {
                let possible = TokenObject.Uses.possible(key.kind, isPrivate: key.isPrivate)
                if possible.contains(row.use) {
                    own[row.item] = .number(uses.contains(row.use) ? 1 : 0)
                }
            }
            item = try fromKeychain(try ReferenceExpansion.adding(key, to: own))
        case .data(let application, let value):
            own[QueryKey.itemClass.rawValue] = .string(ItemClass.genericPassword.rawValue)
            own[.service] = .data(application)
            own[.account] = .data(label)
            if let value { own[QueryKey.valueData.rawValue] = .secret(value) }
            return own
        case .secretKey: throw .templateInconsistent
        }
        guard !identifier.isEmpty, identifier != hash else { return item }
        var named = item
        named[.alias] = .data(identifier)
        return named
    }
}
