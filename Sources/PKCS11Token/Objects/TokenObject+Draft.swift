import Cryptography
import KeyRepresentation
import KeychainModel
import Secrets

// Templates that become objects.
extension TokenObject {
    /// An object that a template describes, without a place.
    struct Draft: Sendable {
        let content: Content
        let key: KeyReference?
        var label: [UInt8] = []
        var identifier: [UInt8] = []
        var uses: Uses = []
        var kept = KeptAttributes()

        init(_ content: Content, key: KeyReference? = nil, uses: Uses = []) {
            self.content = content
            self.key = key
            self.uses = uses
        }

        /// Applies attributes of a template beyond those from which the object is made.
        mutating func take(_ template: Template) throws(ReturnCode) {
            uses = try uses.applying(template)
            for (type, value) in template.values {
                guard let rule = rule(type), case .kept = rule.origin else { continue }
                let bytes = value.copyBytesUnprotected
                switch type {
                case .label: label = bytes
                case .identifier: identifier = bytes
                default: kept[type] = bytes
                }
            }
        }

        private func rule(_ type: AttributeType) -> AttributeRule? {
            let object = object(in: 0, .session(0))
            return AttributeRule.row(type, object.objectClass, object.keyType)
        }

        /// Returns the object in its place.
        func object(in slot: UInt, _ place: Place) -> TokenObject {
            TokenObject(
                slot: slot,
                place: place,
                label: label,
                identifier: identifier,
                content: content,
                uses: uses,
                kept: kept
            )
        }
    }

    /// Interprets the template of `C_CreateObject`.
    ///
    /// - Throws: `templateIncomplete`, `templateInconsistent`, `attributeValueInvalid`,
    ///   `curveNotSupported`.
    static func draft(_ template: Template) throws(ReturnCode) -> Draft {
        switch try template.objectClass() {
        case .certificate: return try certificate(template)
        case .publicKey: return Draft(publicKey: try publicKey(template))
        case .privateKey: return try Draft(privateKey: try privateKey(template), template)
        case .data:
            let value =
                template.values[.value] == nil
                ? SharedSecret(Secret(copying: [UInt8]())) : try template.requiredSecret(.value)
            let application = template.bytes(.application) ?? []
            return Draft(.data(application: application, value))
        case .secretKey: return try secretKey(template)
        }
    }

    private static func certificate(_ template: Template) throws(ReturnCode) -> Draft {
        guard try template.number(.certificateType) ?? 0 == 0 else {
            throw .attributeValueInvalid
        }
        let der = try template.required(.value)
        let certificate = try fromCryptography(try Certificate(der: der))
        return Draft(.certificate(certificate))
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
        return try fromCryptography(try PublicKey(point: bytes, of: kind))
    }

    /// Returns the curve in a template, which has to fit the key's type.
    static func curve(
        _ template: Template,
        _ keyType: KeyTypeNumber
    ) throws(ReturnCode) -> KeyKind {
        let kind = try curve(try template.required(.curveParameters))
        guard KeyTypeNumber(kind) == keyType else { throw .attributeValueInvalid }
        return kind
    }

    /// Returns the curve that parameters name.
    ///
    /// - Throws: `curveNotSupported` for an unknown curve, `attributeValueInvalid` for bytes that
    ///   do not describe one.
    static func curve(_ parameters: [UInt8]) throws(ReturnCode) -> KeyKind {
        if let kind = KeyKind(curveParameters: parameters) { return kind }
        throw KeyKind.describeCurve(parameters) ? .curveNotSupported : .attributeValueInvalid
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
            let bare = bare(value)
            return try fromCryptography(
                try PrivateKey(family: kind.family, externalRepresentation: bare.secret)
            )
        }
        let scalar = try padded(value, to: curve.scalarByteCount)
        return try fromCryptography(try PrivateKey(scalar: scalar.secret, on: curve))
    }

    /// A key on Curve25519 without the OCTET STRING that some programs put around it.
    ///
    /// The size decides, as it does for points.
    private static func bare(_ key: SharedSecret) -> SharedSecret {
        let byteCount = KeyKind.curve25519ByteCount
        let head: [UInt8] = [0x04, UInt8(byteCount)]
        return key.secret.withUnsafeBytes { bytes in
            guard bytes.count == head.count + byteCount, bytes.starts(with: head) else {
                return key
            }
            let rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(head.count))
            return SharedSecret(Secret(copying: rest))
        }
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
        return Draft(secretKey: SecretKey(keyType: keyType, value: value))
    }
}

extension TokenObject.Draft {
    init(publicKey key: PublicKey) {
        self.init(
            .publicKey(key),
            key: KeyReference(.publicKey(key)),
            uses: .possible(key.kind, isPrivate: false)
        )
    }

    /// Makes a private half; its template decides whether the key may leave the keychain.
    init(privateKey key: PrivateKey, _ template: Template) throws(ReturnCode) {
        let mayLeave = try template.flag(.extractable) ?? false
        let reference = KeyReference(.privateKey(key), isExtractable: mayLeave)
        let content = TokenObject.StoredPrivateKey(
            kind: key.kind,
            publicKeyHash: try fromKeychain(try reference.publicKeyHash()),
            publicKey: key.publicKey,
            material: reference
        )
        self.init(
            .privateKey(content),
            key: reference,
            uses: .possible(key.kind, isPrivate: true)
        )
    }

    /// Makes a copy of an object.
    init(copying object: TokenObject) {
        let key: KeyReference? =
            switch object.content {
            case .publicKey(let key): KeyReference(.publicKey(key))
            case .privateKey(let key): key.material
            case .certificate, .data, .secretKey: nil
            }
        self.init(object.content, key: key, uses: object.uses)
        label = object.label
        identifier = object.identifier
        kept = object.kept
    }

    init(secretKey key: TokenObject.SecretKey) {
        self.init(.secretKey(key), uses: .possible(key.keyType))
    }

    /// Records that the key was generated here, and how.
    mutating func keepOrigin(_ mechanism: UInt) {
        kept[.local] = Encoding.flag(true)
        kept[.keyGenerationMechanism] = Encoding.number(mechanism)
        keepProtection()
    }

    /// Records that a protected value was always protected, because it was never seen before.
    mutating func keepProtection() {
        let made = object(in: 0, .session(0))
        guard AttributeRule.row(.sensitive, made.objectClass, made.keyType) != nil else { return }
        kept[.alwaysSensitive] = Encoding.flag(made.isTrue(.sensitive))
        kept[.neverExtractable] = Encoding.flag(!made.isTrue(.extractable))
    }
}

extension TokenObject {
    /// Checks that an object agrees with its template.
    ///
    /// - Parameters:
    ///   - template: The template of the program.
    ///   - isToken: Whether the token will store the object.
    ///   - read: The attributes from which the object was made.
    /// - Throws: `attributeTypeInvalid` for an attribute that the object cannot have,
    ///   `attributeValueInvalid`, `attributeReadOnly`, `templateInconsistent`.
    func check(
        _ template: Template,
        isToken: Bool,
        madeOf read: Set<AttributeType>
    ) throws(ReturnCode) {
        for (type, value) in template.values {
            guard let rule = AttributeRule.row(type, objectClass, keyType) else {
                throw .attributeTypeInvalid
            }
            guard rule.admits(value) else { throw .attributeValueInvalid }
            let bytes = value.copyBytesUnprotected
            if isToken, let only = rule.inToken, bytes != only { throw .attributeValueInvalid }
            switch rule.origin {
            case .made:
                guard read.contains(type) || says(type, bytes) else { throw .templateInconsistent }
            case .same:
                // A program that does not know the value passes an empty one.
                guard bytes.isEmpty || says(type, bytes) else { throw .attributeValueInvalid }
            case .told: guard says(type, bytes) else { throw .attributeReadOnly }
            case .kept, .use, .passedOver: continue
            }
        }
    }
}
