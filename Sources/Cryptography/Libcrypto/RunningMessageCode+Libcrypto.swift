import Secrets

@_implementationOnly import CCrypto

/// The authentication code of a message that arrives in parts (HMAC); a copy continues
/// independently.
///
/// No part is kept, and libcrypto cleanses its copies of the key and the message.
///
/// `@unchecked Sendable` is sound because the context changes only in `update`, which works on a
/// context that no copy shares.
package struct RunningMessageCode: @unchecked Sendable {
    /// libcrypto's context, which copies of the value share until one changes.
    private final class Context {
        let pointer: OpaquePointer

        init(owning pointer: OpaquePointer) { self.pointer = pointer }

        deinit { EVP_MAC_CTX_free(pointer) }

        func copy() throws(CryptographyError) -> Context {
            Context(owning: try require(EVP_MAC_CTX_dup(pointer)))
        }
    }

    private var context: Context
    private let function: HashFunctionName

    /// Begins an empty message.
    ///
    /// - Parameters:
    ///   - function: The hash function.
    ///   - key: Any size.
    /// - Throws: `backend`.
    package init(
        _ function: HashFunctionName,
        key: borrowing Secret
    ) throws(CryptographyError) {
        forgetEarlierErrors()
        let hmac = try Algorithm.hmac.pointer()
        let pointer = try key.withUnsafeBytes { key throws(CryptographyError) in
            try require(ccrypto_hmac_new(hmac, function.name, key.baseAddress, key.count))
        }
        context = Context(owning: pointer)
        self.function = function
    }

    /// Appends bytes to the message.
    ///
    /// - Throws: `backend`.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) throws(CryptographyError) {
        if !isKnownUniquelyReferenced(&context) { context = try context.copy() }
        let start = bytes.bindMemory(to: UInt8.self).baseAddress
        try require(EVP_MAC_update(context.pointer, start, bytes.count))
    }

    /// Returns the code of the message so far.
    ///
    /// - Returns: As many bytes as a hash has.
    /// - Throws: `backend`.
    package func code() throws(CryptographyError) -> [UInt8] {
        let last = try context.copy()
        var code = [UInt8](repeating: 0, count: function.byteCount)
        var written = 0
        try require(EVP_MAC_final(last.pointer, &code, &written, code.count))
        guard written == code.count else { throw .backend("HMAC was not computed") }
        return code
    }
}
