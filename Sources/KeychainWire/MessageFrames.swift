/// The frames of a message that is to be sent: each a header, and a range of the message.
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
        /// The range of the frame's body in the message.
        package let range: Range<Int>
    }

    private let byteCount: Int
    private let frameByteCountLimit: Int
    private var offset = 0

    /// Divides a message of a number of bytes; a message that `encode` wrote is within the limits.
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

/// The count of the bytes of a message that its frames have announced so far.
///
/// The concatenated bodies of the frames are the message once `isComplete`.
///
/// - Source: Documentation/Spec/wire.md §2.
package struct MessageAssembly: Sendable {
    private let side: WireSide
    private var lastHeader: FrameHeader?
    /// The bytes of all frames so far, including the last announced one.
    package private(set) var byteCount = 0

    /// - Parameter side: The sender of the message.
    package init(from side: WireSide) { self.side = side }

    /// Whether the last announced frame is the last of the message.
    package var isComplete: Bool { lastHeader.map { !$0.goesOn } ?? false }

    /// Takes the next frame's header, before any of its body is received.
    ///
    /// - Throws: `WireError` if the sender may not send the frame: the frame or the message is too
    ///   large, or a frame of a client continues.
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
