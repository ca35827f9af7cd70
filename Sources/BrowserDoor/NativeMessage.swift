import Secrets

/// The framing of messages between browsers and native programs: a length of 4 bytes, then JSON.
///
/// The length is in the machine's byte order.
/// - Source: Chrome and MDN, "Native messaging"; Documentation/Spec/browser.md §2.
package enum NativeMessage {
    package static let headerByteCount = 4
    /// The greatest message that a browser accepts: 1 MB.
    package static let outgoingLimit = 1 << 20
    /// The greatest message that this program accepts.
    ///
    /// Browsers may send more, but no request needs it.
    package static let incomingLimit = 64 << 10

    /// Returns a message with its length, for the browser.
    ///
    /// - Throws: `tooLong` for a message that the browser would not accept.
    package static func framed(
        _ message: borrowing Secret
    ) throws(NativeMessageError) -> SharedSecret {
        guard message.byteCount <= outgoingLimit, let count = UInt32(exactly: message.byteCount)
        else { throw .tooLong(message.byteCount) }
        let header = withUnsafeBytes(of: count) { Secret(copying: $0) }
        return SharedSecret(Secret(concatenating: header, message))
    }
}

/// The reason why no further message can be read.
package enum NativeMessageError: Error, Equatable {
    /// The length exceeds the limit.
    case tooLong(Int)
    /// The input ended inside a message.
    case cut
}

/// A reader that receives bytes as they arrive, and returns the messages in them.
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

    /// Returns the next complete message; nil if more bytes are needed.
    ///
    /// - Throws: `tooLong`, as soon as the length is known. The reader stays in that state.
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
