@_implementationOnly import CCrypto

/// The hash of a message that arrives in parts; a copy continues independently.
///
/// `@unchecked Sendable` is sound because the context changes only in `update`, which works on a
/// context that no copy shares.
package struct RunningHash: @unchecked Sendable {
    /// libcrypto's context, which copies of the value share until one changes.
    private final class Context {
        let pointer: OpaquePointer

        init() throws(CryptographyError) { pointer = try require(EVP_MD_CTX_new()) }

        deinit { EVP_MD_CTX_free(pointer) }

        func copy() throws(CryptographyError) -> Context {
            let copy = try Context()
            try require(EVP_MD_CTX_copy_ex(copy.pointer, pointer))
            return copy
        }
    }

    private var context: Context
    private let function: HashFunctionName

    /// Begins an empty message.
    ///
    /// - Throws: `backend`.
    package init(_ function: HashFunctionName) throws(CryptographyError) {
        forgetEarlierErrors()
        let context = try Context()
        let algorithm = try require(EVP_MD_fetch(nil, function.name, nil))
        defer { EVP_MD_free(algorithm) }
        try require(EVP_DigestInit_ex(context.pointer, algorithm, nil))
        self.context = context
        self.function = function
    }

    /// Appends bytes to the message.
    ///
    /// - Throws: `backend`.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) throws(CryptographyError) {
        if !isKnownUniquelyReferenced(&context) { context = try context.copy() }
        try require(EVP_DigestUpdate(context.pointer, bytes.baseAddress, bytes.count))
    }

    /// Returns the hash of the message so far.
    ///
    /// - Throws: `backend`.
    package func hash() throws(CryptographyError) -> [UInt8] {
        let last = try context.copy()
        var hash = [UInt8](repeating: 0, count: function.byteCount)
        try require(EVP_DigestFinal_ex(last.pointer, &hash, nil))
        return hash
    }
}
