import KeychainSockets
import KeychainWire

// Invariants   (1) All of it came in one piece from one sender, who is known.
//              (2) It is wiped when it has been given on.

/// Bytes of the next message, which arrived together with the end of the one before.
package struct ReadAhead: ~Copyable {
    /// The most bytes that are received behind a header before its size is looked at.
    package static let byteCountLimit = 4000

    private var bytes = WireBuffer()
    private var givenByteCount = 0
    /// Who sent them.
    private(set) var peer: PeerIdentity?

    package init() {}

    package var isEmpty: Bool { bytes.byteCount == 0 }

    /// Takes what lies behind a place of a buffer that it arrived in.
    mutating func take(from buffer: inout WireBuffer, behind end: Int, _ sender: PeerIdentity?) {
        precondition(isEmpty, "Nothing is received while something is left.")
        buffer.moveEnd(from: end, to: &bytes)
        peer = sender
    }

    /// Gives the next bytes.
    ///
    /// - Returns: How many, at least one.
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
