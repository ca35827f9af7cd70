import Cryptography

/// Fills memory with random bytes from the operating system.
///
/// - Returns: `kCCSuccess`; `kCCParamError` without memory; `kCCRNGFailure` if the system has no
///   random bytes.
@discardableResult
public func CCRandomGenerateBytes(_ bytes: UnsafeMutableRawPointer!, _ count: Int) -> CCRNGStatus {
    guard count > 0 else { return Int32(count == 0 ? kCCSuccess : kCCParamError) }
    guard let bytes else { return Int32(kCCParamError) }
    let source = SystemRandomSource()
    let filled: ()? = try? source.fill(UnsafeMutableRawBufferPointer(start: bytes, count: count))
    return Int32(filled == nil ? kCCRNGFailure : kCCSuccess)
}
