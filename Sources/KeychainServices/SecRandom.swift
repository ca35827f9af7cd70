import CoreFoundation
import Glibc

/// A source of random bytes; there is only the system's.
public typealias SecRandomRef = OpaquePointer

/// The system's source of random bytes.
nonisolated(unsafe) public let kSecRandomDefault: SecRandomRef? = nil

/// Fills memory with random bytes from the operating system.
///
/// The source is `getrandom(2)`, by way of `getentropy(3)`.
///
/// - Parameters:
///   - source: `kSecRandomDefault`.
///   - count: the number of bytes; a negative one is refused.
///   - bytes: room for as many bytes.
/// - Returns: `errSecSuccess`; `errSecParam` for a negative count; `errSecNotAvailable`, with the
///   memory untouched or partly filled, if the system gives no bytes.
public func SecRandomCopyBytes(
    _ source: SecRandomRef?,
    _ count: Int,
    _ bytes: UnsafeMutableRawPointer
) -> Int32 {
    guard count >= 0 else { return errSecParam }
    // One call gives at most 256 bytes and is never interrupted.
    for start in stride(from: 0, to: count, by: 256) {
        let status = getentropy(bytes + start, min(256, count - start))
        guard status == 0 else { return errSecNotAvailable }
    }
    return errSecSuccess
}
