import KeychainModel
import Secrets

// Encryption in one call or in parts.
extension TokenModule {
    /// Encrypts or decrypts a message in one call.
    ///
    /// If a buffer is too small, the result waits, so that the work is done once.
    /// - Throws: `encryptedDataInvalid`, `encryptedDataLengthRange`, `dataLengthRange`; the reason
    ///   why the key is unreadable, such as `userNotLoggedIn` after a lock.
    package func transform(
        _ kind: OperationKind,
        in session: UInt,
        _ input: UnsafeRawBufferPointer,
        capacity: Int?
    ) throws(ReturnCode) -> Output {
        try with(kind, session) { operation throws(ReturnCode) in
            guard var own = operation else { throw .operationNotInitialized }
            guard !own.isUpdated else { throw .operationActive }
            guard let capacity else {
                guard case .cipher(_, let cipher) = own.work else {
                    return .size(own.outputByteCount)
                }
                return .size(cipher.wholeByteCount(input.count))
            }
            return try deliver(&own, &operation, session, capacity) { own throws(ReturnCode) in
                if case .cipher = own.work {
                    return try own.withCipher { cipher throws(ReturnCode) in
                        try cipher.whole(input)
                    }
                }
                try own.take(input)
                return try own.transform(decrypts: kind == .decrypt) {
                    handle throws(ReturnCode) in
                    try storedKey(try keyObject(handle, in: session))
                }
            }
        }
    }

    /// Encrypts or decrypts a part of a message; without a part, ends the message.
    ///
    /// - Throws: The errors of `transform`; `functionNotSupported` for a mechanism that takes one
    ///   block.
    package func stream(
        _ kind: OperationKind,
        in session: UInt,
        _ part: UnsafeRawBufferPointer?,
        capacity: Int?
    ) throws(ReturnCode) -> Output {
        try with(kind, session) { operation throws(ReturnCode) in
            guard var own = operation else { throw .operationNotInitialized }
            let byteCount = try own.withCipher { cipher throws(ReturnCode) in
                part.map { cipher.updateByteCount($0.count) } ?? cipher.wholeByteCount(0)
            }
            guard let capacity else { return .size(byteCount) }
            guard let part else {
                return try deliver(&own, &operation, session, capacity) { own throws(ReturnCode) in
                    try own.withCipher { cipher throws(ReturnCode) in
                        try cipher.finish()
                    }
                }
            }
            guard capacity >= byteCount else { return .tooSmall(byteCount) }
            if let key = own.secretKey { try requireReach(key, in: session) }
            let output = try own.withCipher { cipher throws(ReturnCode) in
                try cipher.update(part)
            }
            own.noteUpdate()
            operation = own
            return .bytes(output)
        }
    }

    /// Does the last work of an operation once, and keeps output that does not fit the buffer.
    private func deliver(
        _ own: inout Operation,
        _ operation: inout Operation?,
        _ session: UInt,
        _ capacity: Int,
        _ work: (inout Operation) throws(ReturnCode) -> SharedSecret
    ) throws(ReturnCode) -> Output {
        guard !own.needsPasscode else { throw .userNotLoggedIn }
        if own.pending != nil || own.isCipher, let key = own.secretKey {
            try requireReach(key, in: session)
        }
        let output: SharedSecret
        if let pending = own.pending { output = pending } else { output = try work(&own) }
        own.pending = output
        let answer = Output.delivering(output, capacity: capacity)
        if case .bytes = answer { operation = nil } else { operation = own }
        return answer
    }

    /// Adds the value of a secret key to a digest.
    ///
    /// - Throws: `keyIndigestible` for a key of another kind, `operationNotInitialized`.
    package func digestKey(_ handle: UInt, in session: UInt) throws(ReturnCode) {
        let object = try state.withLock { state throws(ReturnCode) in
            try state.key(handle, for: try state.session(session))
        }
        guard case .secretKey(let key) = object.content else { throw .keyIndigestible }
        try requireUnlocked(object)
        try key.value.secret.withUnsafeBytes { bytes throws(ReturnCode) in
            try update(.digest, in: session, bytes)
        }
    }

    /// Passes the passcode to the operation of a key that requires it each time.
    func confirmOperation(
        in session: UInt,
        _ passcode: SharedSecret?
    ) throws(ReturnCode) {
        let kinds: [OperationKind] = try state.withLock { state throws(ReturnCode) in
            let operations = try state.session(session).operations
            return [.sign, .decrypt].filter { operations[$0]?.needsPasscode == true }
        }
        guard !kinds.isEmpty else { throw .operationNotInitialized }
        try unlock(with: passcode)
        state.withLock { state in
            for kind in kinds { state.sessions[session]?.operations[kind]?.needsPasscode = false }
        }
    }
}
