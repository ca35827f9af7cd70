/// The 5 bytes in front of every frame: the size of the body in bytes, big-endian, and flags.
///
/// - Source: Documentation/Spec/wire.md §2.
package struct FrameHeader: Sendable, Hashable {
    package static let byteCount = 5
    /// The largest body: a value of 16 MiB, and the bytes around it.
    package static let bodyByteCountLimit = 16 << 20 + 1 << 16
    /// The only flag: the message continues in the next frame.
    private static let goesOnFlag: UInt8 = 1

    package let bodyByteCount: Int
    /// Whether the message continues in the next frame; only a daemon's messages do.
    package let goesOn: Bool

    package init(bodyByteCount: Int, goesOn: Bool = false) {
        self.bodyByteCount = bodyByteCount
        self.goesOn = goesOn
    }

    /// Reads exactly 5 bytes.
    ///
    /// - Throws: `WireError` for another number of bytes, an empty body, a body of more than
    ///   `bodyByteCountLimit`, and unknown flags. `MessageAssembly` refuses frames that only the
    ///   other side may send.
    package init(decoding bytes: UnsafeRawBufferPointer) throws(WireError) {
        guard bytes.count >= Self.byteCount else { throw .truncated }
        guard bytes.count == Self.byteCount else { throw .trailingBytes }
        let size = UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))
        guard size > 0 else { throw .truncated }
        guard size <= Self.bodyByteCountLimit else { throw .limitExceeded("size of a frame") }
        guard bytes[4] & ~Self.goesOnFlag == 0 else { throw .unknownValue("flag of a frame") }
        bodyByteCount = Int(size)
        goesOn = bytes[4] & Self.goesOnFlag != 0
    }

    /// The header in its form on the wire: 5 bytes.
    package var encoded: [UInt8] {
        let size = UInt32(truncatingIfNeeded: bodyByteCount)
        return [
            UInt8(truncatingIfNeeded: size >> 24), UInt8(truncatingIfNeeded: size >> 16),
            UInt8(truncatingIfNeeded: size >> 8), UInt8(truncatingIfNeeded: size),
            goesOn ? Self.goesOnFlag : 0,
        ]
    }
}

/// The sender of a message.
package enum WireSide: Sendable, Hashable {
    case client
    case daemon

    /// The largest body of one frame in bytes.
    package var frameByteCountLimit: Int {
        switch self {
        case .client: FrameHeader.bodyByteCountLimit
        case .daemon: WireLimit.daemonFrameByteCount
        }
    }

    /// The limits of the content of one message.
    var budget: WireLimit.Budget {
        switch self {
        case .client: .client
        case .daemon: .daemon
        }
    }

    /// The largest message in bytes; a client's is one frame.
    package var messageByteCountLimit: Int {
        switch self {
        case .client: FrameHeader.bodyByteCountLimit
        case .daemon: WireLimit.daemonMessageByteCount
        }
    }
}
