import Cryptography
import KeyRepresentation
import KeychainModel
import Secrets

// New keys.
extension TokenModule {
    /// Generates a key pair.
    ///
    /// - Returns: The handles of the public and of the private half.
    /// - Throws: The errors of the templates; `sessionReadOnly`, `userNotLoggedIn`.
    package func generateKeyPair(
        _ session: UInt,
        _ call: MechanismCall,
        public publicTemplate: Template,
        private privateTemplate: Template
    ) throws(ReturnCode) -> (publicKey: UInt, privateKey: UInt) {
        let mechanism = try Mechanism.named(call.number, for: Flags.generateKeyPair)
        try check(session)
        guard case .none = call.parameter else { throw .mechanismParameterInvalid }
        guard case .generation(let family) = mechanism.form else { throw .mechanismInvalid }
        let kind = try Self.kind(family, publicTemplate)
        let pair = try fromCryptography(try PrivateKey.generate(kind))
        var publicDraft = TokenObject.Draft(publicKey: pair.publicKey)
        try publicDraft.take(publicTemplate)
        publicDraft.keepOrigin(call.number)
        var privateDraft = try TokenObject.Draft(privateKey: pair, privateTemplate)
        try privateDraft.take(privateTemplate)
        privateDraft.keepOrigin(call.number)
        let handles = try keep(
            [
                NewObject(
                    draft: publicDraft,
                    template: publicTemplate,
                    isToken: try publicTemplate.flag(.token) ?? false,
                    madeOf: [.token, .modulusBits, .publicExponent, .curveParameters]
                ),
                NewObject(
                    draft: privateDraft,
                    template: privateTemplate,
                    isToken: try privateTemplate.flag(.token) ?? false,
                    madeOf: [.token]
                ),
            ],
            session
        )
        return (handles[0], handles[1])
    }

    /// Generates a secret key, which belongs to its session.
    ///
    /// - Throws: The errors of the template.
    package func generateKey(
        _ session: UInt,
        _ call: MechanismCall,
        _ template: Template
    ) throws(ReturnCode) -> UInt {
        let mechanism = try Mechanism.named(call.number, for: Flags.generateKey)
        try check(session)
        guard case .none = call.parameter else { throw .mechanismParameterInvalid }
        guard case .secretGeneration(let keyType) = mechanism.form else {
            throw .mechanismInvalid
        }
        guard let length = try template.number(.valueLength) else { throw .templateIncomplete }
        let byteCount = try Self.byteCount(length, keyType)
        let value = try fromCryptography(
            try Secret(byteCount: byteCount) { bytes throws(CryptographyError) in
                try SystemRandomSource().fill(bytes)
            }
        )
        let key = TokenObject.SecretKey(keyType: keyType, value: SharedSecret(value))
        var draft = TokenObject.Draft(secretKey: key)
        try draft.take(template)
        draft.keepOrigin(call.number)
        return try keep(draft, template, madeOf: [.token, .valueLength], session)
    }

    /// Stores one object.
    func keep(
        _ draft: TokenObject.Draft,
        _ template: Template,
        madeOf: Set<AttributeType>,
        _ session: UInt
    ) throws(ReturnCode) -> UInt {
        let isToken = try template.flag(.token) ?? false
        let new = NewObject(draft: draft, template: template, isToken: isToken, madeOf: madeOf)
        return try keep([new], session)[0]
    }

    /// Returns the size in bytes of the secret key that a template requests.
    static func byteCount(_ length: UInt, _ keyType: KeyTypeNumber) throws(ReturnCode) -> Int {
        guard (1...1024).contains(length), keyType != .aes || [16, 24, 32].contains(length) else {
            throw .attributeValueInvalid
        }
        return Int(length)
    }

    private static func kind(
        _ family: KeyFamily,
        _ template: Template
    ) throws(ReturnCode) -> KeyKind {
        guard family != .rsa else {
            guard let bitCount = try template.number(.modulusBits) else {
                throw .templateIncomplete
            }
            guard (1024...8192).contains(bitCount), bitCount % 8 == 0 else { throw .keySizeRange }
            // This is the only exponent that is offered; it may have leading zeros.
            if let exponent = template.bytes(.publicExponent),
                Array(exponent.drop { $0 == 0 }) != [1, 0, 1]
            {
                throw .attributeValueInvalid
            }
            return .rsa(bitCount: Int(bitCount))
        }
        let kind = try TokenObject.curve(try template.required(.curveParameters))
        guard kind.family == family else { throw .attributeValueInvalid }
        return kind
    }
}
