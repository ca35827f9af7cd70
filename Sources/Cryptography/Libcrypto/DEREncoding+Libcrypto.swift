@_implementationOnly import CCrypto

/// Returns the DER of one of libcrypto's structures from its `i2d` function.
///
/// - Parameter encode: Calls the function, which writes at the cursor unless that is null, and
///   returns the number of bytes.
/// - Returns: The bytes; nil only when memory is short.
func encodedDER(
    _ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
) -> [UInt8]? {
    let byteCount = encode(nil)
    guard byteCount > 0 else { return nil }
    var der = [UInt8](repeating: 0, count: Int(byteCount))
    let written = der.withUnsafeMutableBufferPointer { buffer in
        var cursor = buffer.baseAddress
        return encode(&cursor)
    }
    return written == byteCount ? der : nil
}
