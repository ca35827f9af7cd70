import Foundation

/// A secret in transit between stores, which no description or mirror reveals.
///
/// These show only the number of bytes, and no encoder accepts the type. Keychain Services use
/// `Data`, so copies in ordinary memory are unavoidable.
///
/// ```swift
/// let secret = SecretBytes("secret")
/// print(secret)  // ‹6 bytes›
/// ```
public struct SecretBytes: Sendable {
    private let bytes: Data

    /// Creates a secret from bytes.
    public init(_ bytes: Data) { self.bytes = bytes }

    /// Creates a secret from the UTF-8 of a text.
    public init(_ text: String) { bytes = Data(text.utf8) }

    /// The number of bytes.
    public var byteCount: Int { bytes.count }

    /// Returns a copy of the bytes in memory that is not wiped.
    public func copyBytesUnprotected() -> Data { bytes }

    /// Returns whether both secrets have the same bytes.
    public func matches(_ other: SecretBytes) -> Bool {
        guard byteCount == other.byteCount else { return false }
        return zip(bytes, other.bytes).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of bytes, such as `‹12 bytes›`.
    public var description: String { "‹\(byteCount) bytes›" }
    /// The same text as ``description``.
    public var debugDescription: String { description }
    /// A mirror without children, so that `dump` does not reveal the bytes.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
