import Cryptography
import KeyRepresentation
import KeychainModel
import Secrets
import StoredKeys

// The begin, update and final calls of operations.
extension TokenModule {
    /// Begins an operation, without a request to the keychain.
    ///
    /// - Parameters:
    ///   - kind: The kind of operation.
    ///   - session: The session of the operation.
    ///   - call: The mechanism.
    ///   - key: The handle of the key; nil for a digest.
    /// - Throws: `operationActive`, `mechanismInvalid`, `mechanismParameterInvalid`,
    ///   `keyHandleInvalid`, `keyTypeInconsistent`, `keyFunctionNotPermitted`.
    package func begin(
        _ kind: OperationKind,
        in session: UInt,
        _ call: MechanismCall,
        key: UInt? = nil
    ) throws(ReturnCode) {
        let mechanism = try Mechanism.named(call.number, for: kind.flag)
        let object = try state.withLock { state throws(ReturnCode) in
            let session = try state.session(session)
            guard session.operations[kind] == nil, !session.busy.contains(kind) else {
                throw .operationActive
            }
            return try key.map { handle throws(ReturnCode) in
                (handle, try state.key(handle, for: session))
            }
        }
        let operation = try operation(kind, mechanism, call.parameter, object)
        try state.withLock { state throws(ReturnCode) in
            let present = try state.session(session)
            guard present.operations[kind] == nil, !present.busy.contains(kind) else {
                throw .operationActive
            }
            state.sessions[session]?.operations[kind] = operation
        }
    }

    private func operation(
        _ kind: OperationKind,
        _ mechanism: Mechanism,
        _ parameter: MechanismCall.Parameter,
        _ named: (handle: UInt, object: TokenObject)?
    ) throws(ReturnCode) -> Operation {
        if case .digest(let hash) = mechanism.form {
            guard case .none = parameter else { throw .mechanismParameterInvalid }
            return try Operation(.digest, hash: hash)
        }
        guard let (handle, object) = named, let use = kind.use else { throw .keyHandleInvalid }
        try object.requirePermission(for: mechanism)
        if case .secretKey(let key) = object.content {
            try requireUnlocked(object)
            return try secretOperation(kind, mechanism, parameter, (handle, object.uses, key))
        }
        let needsPrivateKey = kind == .sign || kind == .decrypt
        let keyKind = try keyKind(object, needsPrivateKey: needsPrivateKey)
        let isSignature = kind == .sign || kind == .verify
        let scheme =
            isSignature
            ? try OperationScheme.signature(mechanism, parameter, for: keyKind)
            : try OperationScheme.encryption(mechanism, parameter, for: keyKind)
        guard object.uses.contains(use) else { throw .keyFunctionNotPermitted }
        let key: Operation.Key =
            needsPrivateKey ? .privateHalf(handle) : .publicHalf(try storedKey(object))
        let byteCount = scheme.byteCount
        var operation = try Operation(
            isSignature
                ? .signature(key, scheme.scheme, signatureByteCount: byteCount)
                : .encryption(key, scheme.scheme, blockByteCount: byteCount),
            hash: scheme.hash
        )
        operation.needsPasscode = needsPrivateKey && object.isTrue(.alwaysAuthenticate)
        return operation
    }

    /// Returns an operation with a secret key of a session.
    private func secretOperation(
        _ kind: OperationKind,
        _ mechanism: Mechanism,
        _ parameter: MechanismCall.Parameter,
        _ key: (handle: UInt, uses: TokenObject.Uses, secret: TokenObject.SecretKey)
    ) throws(ReturnCode) -> Operation {
        guard let use = kind.use else { throw .keyHandleInvalid }
        let isCipher = kind == .encrypt || kind == .decrypt
        let needed: KeyTypeNumber = isCipher ? .aes : .genericSecret
        switch mechanism.form {
        case .cipher, .authenticatedCipher, .code: break
        default: throw .keyTypeInconsistent
        }
        guard key.secret.keyType == needed else { throw .keyTypeInconsistent }
        guard key.uses.contains(use) else { throw .keyFunctionNotPermitted }
        if case .code(let hash) = mechanism.form {
            guard case .none = parameter else { throw .mechanismParameterInvalid }
            return try Operation(code: hash, key.handle, key: key.secret.value)
        }
        let cipher = try CipherWork(
            mechanism,
            parameter,
            encrypts: kind == .encrypt,
            key: key.secret.value
        )
        return try Operation(.cipher(key.handle, cipher), hash: nil)
    }

    private func keyKind(
        _ object: TokenObject,
        needsPrivateKey: Bool
    ) throws(ReturnCode) -> KeyKind {
        switch object.content {
        case .privateKey(let key) where needsPrivateKey: return key.kind
        case .publicKey(let key) where !needsPrivateKey: return key.kind
        case .privateKey, .publicKey, .secretKey: throw .keyTypeInconsistent
        case .certificate, .data: throw .keyHandleInvalid
        }
    }

    /// Returns the key behind an object, ready for use.
    func storedKey(_ object: TokenObject) throws(ReturnCode) -> StoredKey {
        switch object.content {
        case .publicKey(let key):
            return StoredKey(KeyReference(.publicKey(key)), connect: keychain.connect)
        case .privateKey(let key):
            if let material = key.material {
                try requireUnlocked(object)
                return StoredKey(material, connect: keychain.connect)
            }
            guard let item = object.item else { throw .keyHandleInvalid }
            do throws(ReturnCode) { return try keychain.key(of: item) } catch {
                throw error == .objectHandleInvalid ? .keyHandleInvalid : error
            }
        case .certificate, .data, .secretKey: throw .keyHandleInvalid
        }
    }

    /// Returns the private key's object, which an operation needs at its end.
    ///
    /// - Throws: `userNotLoggedIn` after `C_Logout`, `keyHandleInvalid` if the object is gone.
    func keyObject(_ handle: UInt, in session: UInt) throws(ReturnCode) -> TokenObject {
        try state.withLock { state throws(ReturnCode) in
            let session = try state.session(session)
            guard try state.slot(session.slot).login != .out else { throw .userNotLoggedIn }
            return try state.key(handle, for: session)
        }
    }

    /// Checks that a key is still accessible, without using it and without a prompt.
    func requireReach(_ handle: UInt, in session: UInt) throws(ReturnCode) {
        let object = try state.withLock { state throws(ReturnCode) in
            let session = try state.session(session)
            let object = try state.key(handle, for: session)
            let login = try state.slot(session.slot).login
            guard !object.isPrivate || login != .out else { throw .userNotLoggedIn }
            return object
        }
        try requireUnlocked(object)
        guard let item = object.item else { return }
        do throws(ReturnCode) {
            _ = try keychain.object(item, object.objectClass, in: object.slot)
        } catch {
            throw error == .objectHandleInvalid ? .keyHandleInvalid : error
        }
    }

    /// Lends an operation to `body`, which returns it to continue, or nil to end it.
    ///
    /// Meanwhile the session does not have the operation, so that no other thread works on it.
    func with<R>(
        _ kind: OperationKind,
        _ session: UInt,
        _ body: (inout Operation?) throws(ReturnCode) -> R
    ) throws(ReturnCode) -> R {
        var operation: Operation? = try state.withLock { state throws(ReturnCode) in
            guard let operation = try state.session(session).operations[kind] else {
                throw .operationNotInitialized
            }
            state.sessions[session]?.operations[kind] = nil
            state.sessions[session]?.busy.insert(kind)
            return operation
        }
        let result: Result<R, ReturnCode>
        do throws(ReturnCode) { result = .success(try body(&operation)) } catch {
            operation = nil
            result = .failure(error)
        }
        let rest = operation
        state.withLock { state in
            state.sessions[session]?.busy.remove(kind)
            state.sessions[session]?.operations[kind] = rest
        }
        return try result.get()
    }

    /// Adds a part of the input.
    ///
    /// - Throws: `operationNotInitialized`, `dataLengthRange`.
    package func update(
        _ kind: OperationKind,
        in session: UInt,
        _ part: UnsafeRawBufferPointer
    ) throws(ReturnCode) {
        try with(kind, session) { operation throws(ReturnCode) in
            if case .code(let handle, _)? = operation?.work {
                try requireReach(handle, in: session)
            }
            try operation?.update(part)
        }
    }

    /// Returns a digest or a signature.
    ///
    /// - Parameters:
    ///   - kind: `digest` or `sign`.
    ///   - session: The session that holds the operation.
    ///   - whole: The whole input; nil if it came in parts.
    ///   - capacity: The size of the output buffer; nil to query the size.
    /// - Returns: The bytes, or the size that they need.
    /// - Throws: `operationNotInitialized`; `operationActive` for a whole input after parts; the
    ///   reason why the key is unreadable, such as `userNotLoggedIn` after a lock.
    package func finish(
        _ kind: OperationKind,
        in session: UInt,
        _ whole: UnsafeRawBufferPointer?,
        capacity: Int?
    ) throws(ReturnCode) -> Output {
        try with(kind, session) { operation throws(ReturnCode) in
            guard var own = operation else { throw .operationNotInitialized }
            guard whole == nil || !own.isUpdated else { throw .operationActive }
            let byteCount = own.outputByteCount
            guard let capacity else { return .size(byteCount) }
            guard capacity >= byteCount else { return .tooSmall(byteCount) }
            guard !own.needsPasscode else { throw .userNotLoggedIn }
            if case .code(let handle, _) = own.work { try requireReach(handle, in: session) }
            if let whole { try own.take(whole) }
            let output = try own.finish { handle throws(ReturnCode) in
                try storedKey(try keyObject(handle, in: session))
            }
            operation = nil
            return Output.delivering(output, capacity: capacity)
        }
    }

    /// Verifies a signature, and ends the operation.
    ///
    /// - Throws: `signatureInvalid`, `signatureLengthRange`, `operationNotInitialized`.
    package func verify(
        in session: UInt,
        _ whole: UnsafeRawBufferPointer?,
        _ signature: [UInt8]
    ) throws(ReturnCode) {
        try with(.verify, session) { operation throws(ReturnCode) in
            guard var own = operation else { throw .operationNotInitialized }
            guard whole == nil || !own.isUpdated else { throw .operationActive }
            operation = nil
            if let handle = own.secretKey { try requireReach(handle, in: session) }
            if let whole { try own.take(whole) }
            try own.verify(signature)
        }
    }
}

extension OperationKind {
    /// The flag of mechanisms that support the operation.
    fileprivate var flag: UInt {
        switch self {
        case .encrypt: Flags.encrypt
        case .decrypt: Flags.decrypt
        case .digest: Flags.digest
        case .sign: Flags.sign
        case .verify: Flags.verify
        }
    }

    /// The use for which the key must be permitted; nil if there is no key.
    fileprivate var use: TokenObject.Uses? {
        switch self {
        case .encrypt: .encrypt
        case .decrypt: .decrypt
        case .digest: nil
        case .sign: .sign
        case .verify: .verify
        }
    }
}
