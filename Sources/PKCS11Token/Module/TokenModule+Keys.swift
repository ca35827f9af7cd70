import Cryptography
import KeyRepresentation
import KeychainModel
import Secrets

// New keys.
extension TokenModule {
    /// Makes a pair.
    ///
    /// - Returns: The handles of the public and of the private half.
    /// - Throws: What is wrong with the templates; `sessionReadOnly`, `userNotLoggedIn`.
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
        let isPublicToken = try publicTemplate.flag(.token) ?? false
        let isPrivateToken = try privateTemplate.flag(.token) ?? false
        try check(publicTemplate, .publicKey)
        try check(privateTemplate, .privateKey)
        let kind = try Self.kind(family, publicTemplate)
        let pair = try fromCryptography(try PrivateKey.generate(kind))
        let privateDraft = try TokenObject.draft(ofPrivateKey: pair, privateTemplate)
        let publicDraft = TokenObject.Draft(
            content: .publicKey(pair.publicKey),
            key: KeyReference(.publicKey(pair.publicKey)),
            uses: try TokenObject.uses(publicTemplate, .possible(kind, isPrivate: false))
        )
        let handles = try keep(
            [
                (publicDraft, publicTemplate, isPublicToken),
                (privateDraft, privateTemplate, isPrivateToken),
            ],
            session
        )
        return (handles[0], handles[1])
    }

    /// Insists that a template names no other class.
    private func check(
        _ template: Template,
        _ objectClass: ObjectClass
    ) throws(ReturnCode) {
        guard let number = try template.number(.objectClass) else { return }
        guard number == objectClass.rawValue else { throw .templateInconsistent }
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
            // The one exponent that is offered, with or without zeros in front.
            if let exponent = template.bytes(.publicExponent),
                Array(exponent.drop { $0 == 0 }) != [1, 0, 1]
            {
                throw .attributeValueInvalid
            }
            return .rsa(bitCount: Int(bitCount))
        }
        guard let kind = KeyKind(curveParameters: try template.required(.curveParameters)),
            kind.family == family || (family == .ed25519 && kind == .ed25519)
        else { throw .attributeValueInvalid }
        return kind
    }

    /// Agrees on a secret with the owner of another key.
    ///
    /// - Returns: The handle of a secret key of the session.
    /// - Throws: `mechanismParameterInvalid`, `keyTypeInconsistent`, and what is wrong with the
    ///   template.
    package func deriveKey(
        _ session: UInt,
        _ call: MechanismCall,
        base: UInt,
        _ template: Template
    ) throws(ReturnCode) -> UInt {
        let mechanism = try Mechanism.named(call.number, for: Flags.derive)
        guard mechanism.form == .agreement,
            case .agreement(let derivation, let shared, let publicBytes) = call.parameter
        else { throw .mechanismParameterInvalid }
        let object = try state.withLock { state throws(ReturnCode) in
            try state.key(base, for: try state.session(session))
        }
        guard case .privateKey(let own) = object.content, own.kind.isForKeyAgreement else {
            throw .keyTypeInconsistent
        }
        guard object.uses.contains(.derive) else { throw .keyFunctionNotPermitted }
        let form = try SecretForm(template)
        let isPlain = derivation == 1
        let hash = HashNumbers.hash(derivation: derivation)
        guard isPlain ? shared.isEmpty : hash != nil else { throw .mechanismParameterInvalid }
        guard let other = Self.publicKey(publicBytes, own.kind) else {
            throw .mechanismParameterInvalid
        }
        let key = try storedKey(object)
        let byteCount = form.byteCount ?? own.kind.blockByteCount
        let secret = try fromKeychain(
            try key.agree(
                with: other,
                by: .exchange(isPlain ? nil : hash, cofactor: false),
                byteCount: isPlain ? 0 : byteCount,
                sharedInfo: shared
            )
        )
        let value = try Self.truncated(secret, to: byteCount)
        let draft = TokenObject.Draft(content: .secretKey(form.key(value)), key: nil)
        return try keep([(draft, template, false)], session)[0]
    }

    /// The other side's key: a point, bare or in an OCTET STRING, or 32 bytes of X25519.
    private static func publicKey(_ bytes: [UInt8], _ kind: KeyKind) -> PublicKey? {
        let candidates = [bytes, PublicKey.point(octetString: bytes)].compactMap(\.self)
        for candidate in candidates {
            let key = try? PublicKey(family: kind.family, externalRepresentation: candidate)
            if let key, key.kind == kind { return key }
        }
        return nil
    }

    /// The last bytes of a secret: what is too much is taken off its front.
    ///
    /// - Source: PKCS #11 Current Mechanisms 2.40, ECDH1_DERIVE.
    private static func truncated(
        _ secret: SharedSecret,
        to byteCount: Int
    ) throws(ReturnCode) -> SharedSecret {
        guard byteCount <= secret.secret.byteCount else { throw .attributeValueInvalid }
        guard byteCount < secret.secret.byteCount else { return secret }
        return secret.secret.withUnsafeBytes { bytes in
            let end = UnsafeRawBufferPointer(rebasing: bytes.suffix(byteCount))
            return SharedSecret(Secret(copying: end))
        }
    }
}

/// What a template wants of a derived key.
private struct SecretForm {
    let keyType: KeyTypeNumber
    /// nil for all that there is.
    let byteCount: Int?
    private let protection: TokenObject.SecretProtection

    init(_ template: Template) throws(ReturnCode) {
        protection = try TokenObject.SecretProtection(template)
        if let number = try template.number(.objectClass) {
            guard number == ObjectClass.secretKey.rawValue else { throw .templateInconsistent }
        }
        guard try template.flag(.token) != true else { throw .templateInconsistent }
        let number = try template.number(.keyType) ?? KeyTypeNumber.genericSecret.rawValue
        guard let keyType = KeyTypeNumber(rawValue: number), keyType.isSecret else {
            throw .attributeValueInvalid
        }
        self.keyType = keyType
        guard let length = try template.number(.valueLength) else {
            guard keyType != .aes else { throw .templateIncomplete }
            byteCount = nil
            return
        }
        guard (1...1024).contains(length), keyType != .aes || [16, 24, 32].contains(length) else {
            throw .attributeValueInvalid
        }
        byteCount = Int(length)
    }

    func key(_ value: SharedSecret) -> TokenObject.SecretKey {
        TokenObject.SecretKey(keyType: keyType, value: value, protection: protection)
    }
}
