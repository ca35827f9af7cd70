import Foundation
import Secrets

/// The bytes of a digest or of an authentication code, which are compared in constant time.
///
/// A type whose only property is one of these gets `Hashable` from the compiler, and its `==` also
/// takes constant time.
struct ConstantTimeBytes: Hashable, Sendable {
    let array: [UInt8]

    /// Compares in constant time; the size is not secret.
    static func == (left: Self, right: Self) -> Bool {
        constantTimeEquals(left.array, right.array)
    }
}

/// Compares in constant time; the size is not secret.
func isEqualInConstantTime(_ left: UnsafeRawBufferPointer, _ right: [UInt8]) -> Bool {
    constantTimeEquals([UInt8](left), right)
}

/// Returns the bytes in hexadecimal.
func hexadecimal(_ bytes: some ContiguousBytes) -> String {
    bytes.withUnsafeBytes { $0.map { String(format: "%02x", $0) }.joined() }
}
