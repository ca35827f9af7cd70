@_implementationOnly import CCrypto

/// Takes the DER of one of libcrypto's structures from its `i2d` function.
///
/// - Parameter encode: Calls the function, which writes to where the cursor points, if it points
///   anywhere, and says how many bytes that are.
/// - Returns: The bytes; nil when there are none, and unless memory is short there are.
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
