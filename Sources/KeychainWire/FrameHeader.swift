/// The 5 bytes in front of every frame: the size of the body in bytes, big-endian, and flags.
///
/// - Source: Documentation/Spec/wire.md §2.
package struct FrameHeader: Sendable, Hashable {
    package static let byteCount = 5
    /// The largest body: a value of 16 MiB, and what belongs to it.
    package static let bodyByteCountLimit = 16 << 20 + 1 << 16

    package let bodyByteCount: Int
    /// Whether the message goes on in the next frame; only a daemon's messages do.
    package let goesOn: Bool

    package init(bodyByteCount: Int, goesOn: Bool = false) {
        self.bodyByteCount = bodyByteCount
        self.goesOn = goesOn
    }
}
