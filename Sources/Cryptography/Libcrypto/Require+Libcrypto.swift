@_implementationOnly import CCrypto

/// Turns libcrypto's "1 is success" into an error with libcrypto's own message.
///
/// - Parameter result: What the call returned.
/// - Throws: `backend`.
func require(_ result: Int32) throws(CryptographyError) {
    guard result == 1 else { throw .backend(takeLibcryptoMessage()) }
}

/// Turns libcrypto's "null is failure" into an error with libcrypto's own message.
///
/// - Parameter object: What the call returned.
/// - Returns: The object, known to exist.
/// - Throws: `backend`.
func require(_ object: OpaquePointer?) throws(CryptographyError) -> OpaquePointer {
    guard let object else { throw .backend(takeLibcryptoMessage()) }
    return object
}

/// Empties this thread's error queue of what other calls left there.
///
/// To look first is a twentieth of the price, and the queue is nearly always empty. Ciphers and
/// digests go without: a call of theirs that fails leaves its own error last, which is the one that
/// is read.
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
