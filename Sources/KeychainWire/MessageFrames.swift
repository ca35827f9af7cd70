/// The frames of a message that is to be sent: each header, and the bytes of the message behind it.
///
/// ```swift
/// for frame in MessageFrames(byteCount: buffer.byteCount, from: .daemon) {
///     // send frame.header.encoded, then the bytes of the buffer at frame.range
/// }
/// ```
/// - Source: Documentation/Spec/wire.md §2.
package struct MessageFrames: Sequence, IteratorProtocol, Sendable {
    /// One frame.
    package struct Frame: Sendable, Hashable {
        package let header: FrameHeader
        /// Where the frame's body lies in the message.
        package let range: Range<Int>
    }

    private let byteCount: Int
    private let frameByteCountLimit: Int
    private var offset = 0

    /// The frames of a message of so many bytes; what `encode` wrote is within the limits.
    package init(byteCount: Int, from side: WireSide) {
        self.byteCount = byteCount
        self.frameByteCountLimit = side.frameByteCountLimit
    }

    package mutating func next() -> Frame? {
        guard offset < byteCount else { return nil }
        let end = offset + Swift.min(byteCount - offset, frameByteCountLimit)
        defer { offset = end }
        return Frame(
            header: FrameHeader(bodyByteCount: end - offset, goesOn: end < byteCount),
            range: offset..<end
        )
    }
}

/// How much of a message has been announced by the frames so far.
///
/// The bodies of the frames, one behind the other, are the message once `isComplete`.
/// - Source: Documentation/Spec/wire.md §2.
package struct MessageAssembly: Sendable {
    private let side: WireSide
    private var lastHeader: FrameHeader?
    /// The bytes of all frames so far, the one that was announced last among them.
    package private(set) var byteCount = 0

    /// - Parameter side: Who sends the message.
    package init(from side: WireSide) { self.side = side }

    /// Whether the frame that was announced last is the last of the message.
    package var isComplete: Bool { lastHeader.map { !$0.goesOn } ?? false }

    /// Takes the next frame's header, before any of its body is received.
    ///
    /// - Throws: `WireError` where the sender may not send the frame: it is too large, a client's
    ///   goes on, or the message becomes too large.
    package mutating func announce(_ header: FrameHeader) throws(WireError) {
        precondition(!isComplete, "A message is over with its last frame.")
        guard header.bodyByteCount <= side.frameByteCountLimit else {
            throw .limitExceeded("size of a frame")
        }
        guard side == .daemon || !header.goesOn else {
            throw .invalidValue("frame of a client that goes on")
        }
        guard header.bodyByteCount <= side.messageByteCountLimit - byteCount else {
            throw .oversized
        }
        byteCount += header.bodyByteCount
        lastHeader = header
    }
}
