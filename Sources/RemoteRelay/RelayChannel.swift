import Glibc
import KeychainSockets

/// A channel for frames between two processes.
///
/// Only one thread may receive at a time.
///
/// Its memory grows with the bytes that have arrived, not with the size that a frame claims.
///
/// - Source: Documentation/Spec/relays.md §6.
final class RelayChannel: Sendable {
    /// The reason why a frame was not sent or received.
    enum Failure: Error, Sendable, Hashable {
        /// The other side has ended, or has closed the connection.
        case ended
        /// The time limit for the other side has expired.
        case late
        /// A frame is empty or too large.
        case malformed
    }

    private static let chunkByteCount = 65536
    private static let headByteCount = 4

    private let stream: UnixStream

    init(_ stream: consuming UnixStream) { self.stream = stream }

    /// Sends a frame, and waits while the connection has no room for it.
    func send(_ message: [UInt8], until deadline: Deadline) throws(Failure) {
        try send(bytes: Self.frame(message), until: deadline)
    }

    /// Sends bytes unchanged.
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

    /// Sends a short frame without waiting; ends a connection without room for it.
    func sendNow(_ message: [UInt8]) {
        let frame = Self.frame(message)
        let count = frame.withUnsafeBytes { try? stream.send($0) }
        if count != frame.count { end() }
    }

    /// Returns the next message.
    func receive(until deadline: Deadline = .never) throws(Failure) -> [UInt8] {
        let head = try read(Self.headByteCount, until: deadline)
        let count = head.reduce(0) { $0 << 8 | Int($1) }
        guard (1...RelayMessageLimit.frameByteCount).contains(count) else { throw .malformed }
        return try read(count, until: deadline)
    }

    /// Ends both directions, which wakes the threads that wait here.
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
