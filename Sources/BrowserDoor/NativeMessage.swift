import Secrets

/// How browsers and native programs frame messages: a length of 4 bytes, then the JSON.
///
/// The length is in the byte order of the machine.
/// - Source: Chrome and MDN, "Native messaging"; Documentation/Spec/browser.md §2.
package enum NativeMessage {
    package static let headerByteCount = 4
    /// The most that a browser takes from a program: 1 MB.
    package static let outgoingLimit = 1 << 20
    /// The most that this program takes: browsers may send far more, and no request needs it.
    package static let incomingLimit = 64 << 10

    /// The bytes that go to the browser, length and message.
    ///
    /// - Throws: `tooLong` for a message that the browser would not take.
    package static func framed(
        _ message: borrowing Secret
    ) throws(NativeMessageError) -> SharedSecret {
        guard message.byteCount <= outgoingLimit, let count = UInt32(exactly: message.byteCount)
        else { throw .tooLong(message.byteCount) }
        let header = withUnsafeBytes(of: count) { Secret(copying: $0) }
        return SharedSecret(Secret(concatenating: header, message))
    }
}

/// Why no further message can be read.
package enum NativeMessageError: Error, Equatable {
    /// The length is beyond the limit.
    case tooLong(Int)
    /// The input ended inside a message.
    case cut
}

/// Takes bytes as they arrive, and returns the messages in them.
///
/// ```swift
/// var reader = NativeMessageReader()
/// reader.append(bytes)
/// while let message = try reader.next() { … }
/// ```
package struct NativeMessageReader {
    private var bytes: [UInt8] = []

    package init() {}

    package mutating func append(_ bytes: some Sequence<UInt8>) { self.bytes += bytes }

    /// Returns the next whole message; nil if more bytes are needed.
    ///
    /// - Throws: `tooLong`, as soon as the length says so. The reader stays in that state.
    package mutating func next() throws(NativeMessageError) -> [UInt8]? {
        guard bytes.count >= NativeMessage.headerByteCount else { return nil }
        let length = bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
        guard length <= UInt32(NativeMessage.incomingLimit) else { throw .tooLong(Int(length)) }
        let end = NativeMessage.headerByteCount + Int(length)
        guard bytes.count >= end else { return nil }
        defer { bytes.removeFirst(end) }
        return Array(bytes[NativeMessage.headerByteCount..<end])
    }

    /// Checks that the input ended between two messages.
    package func finish() throws(NativeMessageError) {
        guard bytes.isEmpty else { throw .cut }
    }
}
