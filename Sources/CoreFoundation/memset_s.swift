import Foundation

/// The value of an error as `errno` has it, or 0.
public typealias errno_t = Int32
/// A size in bytes.
public typealias rsize_t = Int

/// Overwrites memory; the optimizer never leaves this out.
///
/// ```swift
/// memset_s(&secret, secret.count, 0, secret.count)
/// ```
///
/// - Parameters:
///   - s: the memory.
///   - smax: the size of the memory.
///   - c: the value of each byte; only its low 8 bits count.
///   - n: the number of bytes to overwrite.
/// - Returns: 0; `EINVAL` without memory; `EOVERFLOW` if `n` is larger than `smax`, and all of the
///   memory is overwritten; `E2BIG` for a negative size.
/// - Source: C11, K.3.7.4.1; macOS's man page memset_s(3).
@discardableResult
public func memset_s(
    _ s: UnsafeMutableRawPointer!,
    _ smax: rsize_t,
    _ c: Int32,
    _ n: rsize_t
) -> errno_t {
    guard let s else { return EINVAL }
    guard smax >= 0 else { return E2BIG }
    let count = n < 0 ? smax : min(n, smax)
    explicit_bzero(s, count)
    let value = UInt8(truncatingIfNeeded: c)
    if value != 0 { s.initializeMemory(as: UInt8.self, repeating: value, count: count) }
    if n < 0 { return E2BIG }
    return n > smax ? EOVERFLOW : 0
}
