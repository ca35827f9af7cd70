@_implementationOnly import CCrypto

extension HashState {
    /// Begins an empty message.
    ///
    /// - Returns: Whether libcrypto has the function.
    package mutating func start(_ function: Function) -> Bool {
        self = HashState()
        return withUnsafeMutableBytes(of: &words) { state in
            state.baseAddress.map { ccrypto_hash_start($0, function.number) == 1 } ?? false
        }
    }

    /// Appends bytes to the message.
    ///
    /// - Returns: Whether libcrypto took them.
    package mutating func update(_ function: Function, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !bytes.isEmpty else { return true }
        return withUnsafeMutableBytes(of: &words) { state in
            state.baseAddress.map {
                ccrypto_hash_update($0, function.number, bytes.baseAddress, bytes.count) == 1
            } ?? false
        }
    }

    /// Ends the message and writes its hash.
    ///
    /// - Parameters:
    ///   - function: The function that began the message.
    ///   - hash: Room for `byteCount` bytes.
    /// - Returns: Whether libcrypto wrote it.
    package mutating func finish(
        _ function: Function,
        into hash: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard hash.count >= function.byteCount, let output = hash.baseAddress else { return false }
        return withUnsafeMutableBytes(of: &words) { state in
            state.baseAddress.map { ccrypto_hash_finish($0, function.number, output) == 1 } ?? false
        }
    }
}

extension HashState.Function {
    fileprivate var number: ccrypto_hash {
        switch self {
        case .md4: CCRYPTO_MD4
        case .md5: CCRYPTO_MD5
        case .sha1: CCRYPTO_SHA1
        case .sha224: CCRYPTO_SHA224
        case .sha256: CCRYPTO_SHA256
        case .sha384: CCRYPTO_SHA384
        case .sha512: CCRYPTO_SHA512
        }
    }
}
