@_implementationOnly import CCrypto

/// Turns libcrypto's "1 is success" into an error with libcrypto's own message.
///
/// - Parameter result: The result of the call.
/// - Throws: `backend`.
func require(_ result: Int32) throws(CryptographyError) {
    guard result == 1 else { throw .backend(takeLibcryptoMessage()) }
}

/// Turns libcrypto's "null is failure" into an error with libcrypto's own message.
///
/// - Parameter object: The result of the call.
/// - Returns: The object, known to exist.
/// - Throws: `backend`.
func require(_ object: OpaquePointer?) throws(CryptographyError) -> OpaquePointer {
    guard let object else { throw .backend(takeLibcryptoMessage()) }
    return object
}

/// Empties this thread's error queue.
///
/// Checking first costs a twentieth of clearing, and the queue is nearly always empty. Ciphers and
/// digests do not need this call: their own failure adds the last error, which is the one that is
/// read.
func forgetEarlierErrors() {
    if ERR_peek_error() != 0 { ERR_clear_error() }
}

/// Reads the latest message of this thread's error queue and empties the queue.
private func takeLibcryptoMessage() -> String {
    let code = ERR_peek_last_error()
    ERR_clear_error()
    guard code != 0 else { return "libcrypto gave no reason" }
    var text = [CChar](repeating: 0, count: 256)
    ERR_error_string_n(code, &text, text.count)
    return text.withUnsafeBufferPointer { characters in
        String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
