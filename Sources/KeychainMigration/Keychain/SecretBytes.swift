import Foundation

/// A secret on its way from one store to another; shows nothing of itself.
///
/// Keychain Services hand out and take `Data`, so copies in ordinary memory cannot be helped. What
/// can be helped is printing: descriptions, mirrors and encoders see the number of bytes alone.
public struct SecretBytes: Sendable {
    private let bytes: Data

    /// Holds these bytes.
    public init(_ bytes: Data) { self.bytes = bytes }

    /// Holds the UTF-8 of a text.
    public init(_ text: String) { bytes = Data(text.utf8) }

    /// The number of bytes.
    public var byteCount: Int { bytes.count }

    /// The bytes themselves, from here on in memory that nobody wipes.
    public func copyBytesUnprotected() -> Data { bytes }

    /// Whether both hold the same bytes.
    public func matches(_ other: SecretBytes) -> Bool {
        guard byteCount == other.byteCount else { return false }
        return zip(bytes, other.bytes).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Such as `‹12 bytes›`.
    public var description: String { "‹\(byteCount) bytes›" }
    /// The same as the description.
    public var debugDescription: String { description }
    /// Without children: `dump` finds nothing.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
