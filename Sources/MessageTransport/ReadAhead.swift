import KeychainSockets
import KeychainWire

// Invariants   (1) All bytes came in one piece from one known sender.
//              (2) The bytes are wiped after they are passed on.

/// The first bytes of the next message, which arrived with the end of the message before.
package struct ReadAhead: ~Copyable {
    /// The greatest number of bytes that are received after a header before its size is checked.
    package static let byteCountLimit = 4000

    private var bytes = WireBuffer()
    private var givenByteCount = 0
    /// The sender of the bytes.
    private(set) var peer: PeerIdentity?

    package init() {}

    package var isEmpty: Bool { bytes.byteCount == 0 }

    /// Moves the bytes after a position of a buffer here.
    mutating func take(from buffer: inout WireBuffer, behind end: Int, _ sender: PeerIdentity?) {
        precondition(isEmpty, "Nothing is received while something is left.")
        buffer.moveEnd(from: end, to: &bytes)
        peer = sender
    }

    /// Passes on the next bytes.
    ///
    /// - Returns: The number of bytes, at least one.
    mutating func give(to target: UnsafeMutableRawBufferPointer) -> Int {
        let given = givenByteCount
        let count = min(target.count, bytes.byteCount - given)
        bytes.withUnsafeBytes { bytes in
            target.copyMemory(
                from: UnsafeRawBufferPointer(rebasing: bytes[given..<given + count])
            )
        }
        givenByteCount += count
        if givenByteCount == bytes.byteCount {
            bytes.reset()
            givenByteCount = 0
        }
        return count
    }
}
