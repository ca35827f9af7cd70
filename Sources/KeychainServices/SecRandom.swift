import CoreFoundation
import Glibc

/// A source of random bytes; the system's is the only one.
public typealias SecRandomRef = OpaquePointer

/// The system's source of random bytes.
nonisolated(unsafe) public let kSecRandomDefault: SecRandomRef? = nil

/// Fills memory with random bytes from the operating system.
///
/// ```swift
/// var key = [UInt8](repeating: 0, count: 32)
/// let status = SecRandomCopyBytes(kSecRandomDefault, key.count, &key)
/// ```
///
/// - Parameters:
///   - source: `kSecRandomDefault`; the call ignores any other value.
///   - count: the number of bytes.
///   - bytes: memory for that many bytes.
/// - Returns: `errSecSuccess`; `errSecParam` if `count` is negative; `errSecNotAvailable` if the
///   system returns no random bytes. After a failure the memory may be partly filled.
/// - Source: the man pages getrandom(2) and getentropy(3).
public func SecRandomCopyBytes(
    _ source: SecRandomRef?,
    _ count: Int,
    _ bytes: UnsafeMutableRawPointer
) -> Int32 {
    guard count >= 0 else { return errSecParam }
    // One call returns at most 256 bytes and is never interrupted.
    for start in stride(from: 0, to: count, by: 256) {
        let status = getentropy(bytes + start, min(256, count - start))
        guard status == 0 else { return errSecNotAvailable }
    }
    return errSecSuccess
}
