import Cryptography
import KeyRepresentation
import KeychainModel
import Secrets

// Keys that are derived from keys.
extension TokenModule {
    /// Derives a secret key from another key: by agreement with a peer's key, or by encryption of
    /// data.
    ///
    /// - Returns: The handle of the new key in the session.
    /// - Throws: `mechanismParameterInvalid`, `keyTypeInconsistent`, and the errors of the
    ///   template.
    package func deriveKey(
        _ session: UInt,
        _ call: MechanismCall,
        base: UInt,
        _ template: Template
    ) throws(ReturnCode) -> UInt {
        let mechanism = try Mechanism.named(call.number, for: Flags.derive)
        let object = try state.withLock { state throws(ReturnCode) in
            try state.key(base, for: try state.session(session))
        }
        try object.requirePermission(for: mechanism)
        let form = try SecretForm(template)
        let value: SharedSecret
        switch (object.content, mechanism.form) {
        case (.privateKey(let own), .agreement) where own.kind.isForKeyAgreement:
            guard object.uses.contains(.derive) else { throw .keyFunctionNotPermitted }
            value = try agreed(call.parameter, own, object, form)
        case (.secretKey(let key), .encryptedData(let mode)) where key.keyType == .aes:
            guard object.uses.contains(.derive) else { throw .keyFunctionNotPermitted }
            try requireUnlocked(object)
            value = try Self.encrypted(call.parameter, key, mode, form)
        default: throw .keyTypeInconsistent
        }
        guard form.keyType != .aes || RunningCipher.keyByteCounts.contains(value.secret.byteCount)
        else { throw .templateIncomplete }
        let key = TokenObject.SecretKey(keyType: form.keyType, value: value)
        var draft = TokenObject.Draft(secretKey: key)
        try draft.take(template)
        draft.keepProtection()
        for type in [AttributeType.alwaysSensitive, .neverExtractable] where !object.isTrue(type) {
            draft.kept[type] = Encoding.flag(false)
        }
        return try keep(
            draft,
            template,
            madeOf: [.token, .objectClass, .keyType, .valueLength],
            session
        )
    }

    private func agreed(
        _ parameter: MechanismCall.Parameter,
        _ own: TokenObject.StoredPrivateKey,
        _ object: TokenObject,
        _ form: SecretForm
    ) throws(ReturnCode) -> SharedSecret {
        guard case .agreement(let derivation, let shared, let publicBytes) = parameter else {
            throw .mechanismParameterInvalid
        }
        let isPlain = derivation == 1
        let hash = HashNumbers.hash(derivation: derivation)
        guard isPlain ? shared.isEmpty : hash != nil,
            let other = try? PublicKey(point: publicBytes, of: own.kind)
        else { throw .mechanismParameterInvalid }
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
        // Drops excess bytes from the front: PKCS #11 Current Mechanisms 2.40, ECDH1_DERIVE.
        return try Self.part(of: secret, byteCount) { $0.suffix(byteCount) }
    }

    /// Returns the encryption of data under a key.
    ///
    /// - Source: PKCS #11 Current Mechanisms 2.40, "Key derivation by data encryption".
    private static func encrypted(
        _ parameter: MechanismCall.Parameter,
        _ key: TokenObject.SecretKey,
        _ mode: RunningCipher.Mode,
        _ form: SecretForm
    ) throws(ReturnCode) -> SharedSecret {
        guard case .encrypted(let vector, let data) = parameter, !data.isEmpty,
            data.count % RunningCipher.blockByteCount == 0,
            let cipher = try? RunningCipher(
                mode,
                encrypts: true,
                key: key.value.secret,
                vector: vector
            )
        else { throw .mechanismParameterInvalid }
        let made = try data.withBytes { bytes throws(ReturnCode) in
            try fromCryptography(try cipher.process(bytes))
        }
        let byteCount = form.byteCount ?? data.count
        guard byteCount <= data.count else { throw .mechanismParameterInvalid }
        return try part(of: made, byteCount) { $0.prefix(byteCount) }
    }

    private static func part(
        of secret: SharedSecret,
        _ byteCount: Int,
        _ part: (UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer>
    ) throws(ReturnCode) -> SharedSecret {
        guard byteCount <= secret.secret.byteCount else { throw .attributeValueInvalid }
        guard byteCount < secret.secret.byteCount else { return secret }
        return secret.secret.withUnsafeBytes { bytes in
            SharedSecret(Secret(copying: UnsafeRawBufferPointer(rebasing: part(bytes))))
        }
    }
}

// Keys that are wrapped by keys.
extension TokenModule {
    /// Wraps an extractable key of the session.
    ///
    /// - Throws: `keyUnextractable`, also for every key of the token;
    ///   `wrappingKeyTypeInconsistent`. `keyNotWrappable` for a key that only a trusted key may
    ///   wrap, because no key is trusted here.
    package func wrapKey(
        _ session: UInt,
        _ call: MechanismCall,
        wrapping: UInt,
        _ key: UInt
    ) throws(ReturnCode) -> SharedSecret {
        let mechanism = try Mechanism.named(call.number, for: Flags.wrap)
        let (own, object) = try state.withLock { state throws(ReturnCode) in
            let session = try state.session(session)
            guard let own = try? state.object(wrapping, for: session) else {
                throw ReturnCode.wrappingKeyHandleInvalid
            }
            return (own, try state.key(key, for: session))
        }
        try own.requirePermission(for: mechanism)
        try requireUnlocked(own)
        try requireUnlocked(object)
        let value: SharedSecret
        switch object.content {
        case .secretKey(let secret): value = secret.value
        case .privateKey(let secret):
            guard case .privateKey(let material)? = secret.material?.material else {
                throw .keyUnextractable
            }
            value = SharedSecret(try fromCryptography(try material.pkcs8()))
        case .publicKey, .certificate, .data: throw .keyNotWrappable
        }
        guard object.isTrue(.extractable) else { throw .keyUnextractable }
        guard !object.isTrue(.wrapWithTrusted) else { throw .keyNotWrappable }
        guard own.uses.contains(.wrap) else { throw .keyFunctionNotPermitted }
        return try encrypt(value, own, mechanism, call.parameter)
    }

    private func encrypt(
        _ value: SharedSecret,
        _ own: TokenObject,
        _ mechanism: Mechanism,
        _ parameter: MechanismCall.Parameter
    ) throws(ReturnCode) -> SharedSecret {
        switch (own.content, mechanism.form) {
        case (.secretKey(let key), .keyWrap(let padding)) where key.keyType == .aes:
            do throws(CryptographyError) {
                let secret = key.value
                let wrapped = try SessionKeyWrap.wrap(value.secret, under: secret.secret, padding)
                return SharedSecret(Secret(copying: wrapped))
            } catch { throw error.isAboutSize ? .keyNotWrappable : .functionFailed }
        case (.secretKey(let key), .cipher) where key.keyType == .aes:
            var cipher = try CipherWork(mechanism, parameter, encrypts: true, key: key.value)
            return try value.secret.withUnsafeBytes { bytes throws(ReturnCode) in
                try cipher.whole(bytes)
            }
        case (.publicKey(let key), .rsaPKCS), (.publicKey(let key), .rsaOAEP):
            let scheme = try OperationScheme.encryption(mechanism, parameter, for: key.kind)
            let key = try storedKey(own)
            do throws(KeychainError) {
                let made = try key.encrypt(value.secret, with: scheme.scheme)
                return SharedSecret(Secret(copying: made))
            } catch { throw error.status == .param ? .keyNotWrappable : ReturnCode(error) }
        default: throw .wrappingKeyTypeInconsistent
        }
    }

    /// Unwraps a key, and stores it as its template says.
    ///
    /// - Throws: `wrappedKeyInvalid`, `unwrappingKeyTypeInconsistent`, and the errors of the
    ///   template.
    package func unwrapKey(
        _ session: UInt,
        _ call: MechanismCall,
        unwrapping: UInt,
        _ wrapped: [UInt8],
        _ template: Template
    ) throws(ReturnCode) -> UInt {
        let mechanism = try Mechanism.named(call.number, for: Flags.unwrap)
        let own = try state.withLock { state throws(ReturnCode) in
            let session = try state.session(session)
            guard let own = try? state.object(unwrapping, for: session) else {
                throw ReturnCode.unwrappingKeyHandleInvalid
            }
            return own
        }
        try own.requirePermission(for: mechanism)
        try requireUnlocked(own)
        guard own.uses.contains(.unwrap) || own.keyType == nil else {
            throw .keyFunctionNotPermitted
        }
        let objectClass = try template.objectClass()
        let value = try decrypt(wrapped, own, mechanism, call.parameter)
        var draft = try Self.unwrapped(value, objectClass, template)
        try draft.take(template)
        return try keep(draft, template, madeOf: [.token, .objectClass], session)
    }

    private static func unwrapped(
        _ value: SharedSecret,
        _ objectClass: ObjectClass,
        _ template: Template
    ) throws(ReturnCode) -> TokenObject.Draft {
        switch objectClass {
        case .secretKey:
            guard let number = try template.number(.keyType) else { throw .templateIncomplete }
            guard let keyType = KeyTypeNumber(rawValue: number), keyType.isSecret else {
                throw .attributeValueInvalid
            }
            let byteCount = value.secret.byteCount
            guard byteCount > 0, keyType != .aes || RunningCipher.keyByteCounts.contains(byteCount)
            else { throw .wrappedKeyInvalid }
            return TokenObject.Draft(
                secretKey: TokenObject.SecretKey(keyType: keyType, value: value)
            )
        case .privateKey:
            guard let key = try? PrivateKey(pkcs8: value.secret) else { throw .wrappedKeyInvalid }
            return try TokenObject.Draft(privateKey: key, template)
        case .publicKey, .certificate, .data: throw .templateInconsistent
        }
    }

    private func decrypt(
        _ wrapped: [UInt8],
        _ own: TokenObject,
        _ mechanism: Mechanism,
        _ parameter: MechanismCall.Parameter
    ) throws(ReturnCode) -> SharedSecret {
        switch (own.content, mechanism.form) {
        case (.secretKey(let key), .keyWrap(let padding)) where key.keyType == .aes:
            do throws(CryptographyError) {
                let secret = key.value
                let value = try SessionKeyWrap.unwrap(wrapped, under: secret.secret, padding)
                return SharedSecret(value)
            } catch { throw error.isAboutSize ? .wrappedKeyLengthRange : .wrappedKeyInvalid }
        case (.secretKey(let key), .cipher) where key.keyType == .aes:
            var cipher = try CipherWork(mechanism, parameter, encrypts: false, key: key.value)
            do throws(ReturnCode) {
                return try wrapped.withBytes { bytes throws(ReturnCode) in
                    try cipher.whole(bytes)
                }
            } catch { throw .wrappedKeyInvalid }
        case (.privateKey(let key), .rsaPKCS), (.privateKey(let key), .rsaOAEP):
            let scheme = try OperationScheme.encryption(mechanism, parameter, for: key.kind)
            let key = try storedKey(own)
            do throws(KeychainError) {
                return try key.decrypt(wrapped, with: scheme.scheme)
            } catch { throw error.status == .param ? .wrappedKeyInvalid : ReturnCode(error) }
        default: throw .unwrappingKeyTypeInconsistent
        }
    }
}

extension CryptographyError {
    fileprivate var isAboutSize: Bool {
        if case .invalidInput = self { true } else { false }
    }
}

extension TokenObject {
    /// Checks that the key's allowed mechanisms, if it has a list, include this one.
    ///
    /// - Throws: `mechanismInvalid` if they do not.
    func requirePermission(for mechanism: Mechanism) throws(ReturnCode) {
        guard let allowed = kept[.allowedMechanisms], !allowed.isEmpty else { return }
        let size = MemoryLayout<UInt>.size
        let isAllowed = stride(from: 0, to: allowed.count, by: size).contains { start in
            allowed[start..<start + size].elementsEqual(Encoding.number(mechanism.number))
        }
        guard isAllowed else { throw .mechanismInvalid }
    }
}

/// The type and size of a derived key, as its template requests.
private struct SecretForm {
    let keyType: KeyTypeNumber
    /// The size in bytes; nil for all available bytes.
    let byteCount: Int?

    init(_ template: Template) throws(ReturnCode) {
        if let number = try template.number(.objectClass) {
            guard number == ObjectClass.secretKey.rawValue else { throw .templateInconsistent }
        }
        let number = try template.number(.keyType) ?? KeyTypeNumber.genericSecret.rawValue
        guard let keyType = KeyTypeNumber(rawValue: number), keyType.isSecret else {
            throw .attributeValueInvalid
        }
        self.keyType = keyType
        guard let length = try template.number(.valueLength) else {
            byteCount = nil
            return
        }
        byteCount = try TokenModule.byteCount(length, keyType)
    }
}
