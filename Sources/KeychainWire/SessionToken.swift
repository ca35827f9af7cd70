import Secrets

/// The proof that a message comes from the program that said hello: 16 random bytes.
///
/// The daemon sends them after it has collected evidence, and the client sends them with every
/// message. A program that takes the process over by `exec` has lost them with the memory.
package struct SessionToken: Sendable {
    package static let byteCount = 16
    package let secret: SharedSecret

    /// - Parameter secret: 16 bytes; with any other size nothing can be sent or matched.
    package init(_ secret: SharedSecret) { self.secret = secret }
}

/// The token of a received message, for comparison only.
///
/// It never leaves the stack, is never printed, and is compared only in constant time.
package struct ReceivedToken: Sendable, CustomStringConvertible {
    private let high: UInt64
    private let low: UInt64

    /// - Parameter bytes: 16 bytes.
    init(_ bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count == SessionToken.byteCount, "A token has 16 bytes.")
        high = bytes.loadUnaligned(as: UInt64.self)
        low = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    }

    /// Whether the token is that of a session, in time that does not depend on the differing bytes.
    package func matches(_ token: SessionToken) -> Bool {
        token.secret.secret.withUnsafeBytes { bytes in
            guard bytes.count == SessionToken.byteCount else { return false }
            let other = ReceivedToken(bytes)
            return (high ^ other.high) | (low ^ other.low) == 0
        }
    }

    /// Whether all bytes are zero, as in a hello.
    package var isZero: Bool { high | low == 0 }

    /// A description without the bytes.
    package var description: String { "ReceivedToken(16 bytes)" }
}

extension SessionToken: WireValue {
    static var leastByteCount: Int { byteCount }

    func write(to buffer: inout WireBuffer) {
        secret.secret.withUnsafeBytes { bytes in
            guard bytes.count == Self.byteCount else {
                return buffer.refuse(.invalidValue("session token"))
            }
            buffer.append(bytes)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        let bytes = try reader.take(byteCount: Self.byteCount)
        self.init(SharedSecret(Secret(copying: bytes)))
    }
}
