import Glibc
import KeychainSockets

/// Frames over a connection between two processes; one thread receives at a time.
///
/// It takes as much memory as bytes have arrived, whatever a frame claims.
///
/// - Source: Documentation/Spec/relays.md §6.
final class RelayChannel: Sendable {
    /// Why no frame came or went.
    enum Failure: Error, Sendable, Hashable {
        /// The other side is gone, or has closed its end.
        case ended
        /// Nothing happened in the time that the other side has.
        case late
        /// A frame is empty or too large.
        case malformed
    }

    private static let chunkByteCount = 65536
    private static let headByteCount = 4

    private let stream: UnixStream

    init(_ stream: consuming UnixStream) { self.stream = stream }

    /// Sends a frame, and waits while there is no room for it.
    func send(_ message: [UInt8], until deadline: Deadline) throws(Failure) {
        try send(bytes: Self.frame(message), until: deadline)
    }

    /// Sends bytes as they are.
    func send(bytes: [UInt8], until deadline: Deadline) throws(Failure) {
        let error: SocketError? = bytes.withUnsafeBytes { bytes in
            do throws(SocketError) {
                try stream.sendAll(bytes, until: deadline)
                return nil
            } catch { return error }
        }
        guard let error else { return }
        throw error.code == ETIMEDOUT ? .late : .ended
    }

    /// Sends a frame of a few bytes at once; a connection that has no room for it ends.
    func sendNow(_ message: [UInt8]) {
        let frame = Self.frame(message)
        let count = frame.withUnsafeBytes { try? stream.send($0) }
        if count != frame.count { end() }
    }

    /// The next message.
    func receive(until deadline: Deadline = .never) throws(Failure) -> [UInt8] {
        let head = try read(Self.headByteCount, until: deadline)
        let count = head.reduce(0) { $0 << 8 | Int($1) }
        guard (1...RelayMessageLimit.frameByteCount).contains(count) else { throw .malformed }
        return try read(count, until: deadline)
    }

    /// Ends both directions: whoever waits here wakes.
    func end() { stream.end() }

    private static func frame(_ message: [UInt8]) -> [UInt8] {
        let count = UInt32(message.count)
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + message
    }

    private func read(_ count: Int, until deadline: Deadline) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        let room = min(count, Self.chunkByteCount)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 1)
        defer { buffer.deallocate() }
        while bytes.count < count {
            let wanted = min(room, count - bytes.count)
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
            bytes += UnsafeRawBufferPointer(part)[..<(try readSome(part, until: deadline))]
        }
        return bytes
    }

    private func readSome(
        _ part: UnsafeMutableRawBufferPointer,
        until deadline: Deadline
    ) throws(Failure) -> Int {
        while true {
            let end: Failure
            do throws(SocketError) {
                if let count = try stream.receive(into: part)?.byteCount {
                    guard count > 0 else { throw SocketError(operation: "recvmsg", code: EPIPE) }
                    return count
                }
                guard try stream.wait(for: .arrival, until: deadline) == .timedOut else { continue }
                end = .late
            } catch { end = .ended }
            throw end
        }
    }
}
