import KeychainModel
import KeychainSockets
import SSHAgentProtocol
import Secrets

/// One request to an SSH agent.
enum AgentCall {
    private static let patienceMilliseconds: UInt32 = 10_000

    /// Sends a message and waits for the reply.
    ///
    /// - Throws: `errSecNotAvailable` if no agent answers.
    static func send(
        _ message: borrowing Secret,
        to path: String
    ) throws(KeychainError) -> [UInt8] {
        do throws(SocketError) {
            let stream = try UnixStream(connectingTo: path, milliseconds: 5000)
            let deadline = Deadline.after(milliseconds: patienceMilliseconds)
            let header = SSHWriter.bytes { $0.uint32(UInt32(message.byteCount)) }
            let whole = Secret(concatenating: Secret(copying: header), message)
            try write(whole, to: stream, deadline)
            let size = try read(AgentFrame.headerByteCount, from: stream, deadline)
            guard let count = AgentFrame.byteCount(header: size) else {
                throw SocketError(operation: "reply", code: 71)
            }
            return try read(count, from: stream, deadline)
        } catch {
            throw KeychainError(.notAvailable, "the SSH agent at \(path): \(error.words)")
        }
    }

    private static func write(
        _ bytes: borrowing Secret,
        to stream: borrowing UnixStream,
        _ deadline: Deadline
    ) throws(SocketError) {
        var sent = 0
        while sent < bytes.byteCount {
            let count = try bytes.withUnsafeBytes { buffer throws(SocketError) in
                try stream.send(UnsafeRawBufferPointer(rebasing: buffer[sent...]))
            }
            if let count { sent += count } else { try wait(stream, .room, deadline) }
        }
    }

    private static func read(
        _ count: Int,
        from stream: borrowing UnixStream,
        _ deadline: Deadline
    ) throws(SocketError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var part = [UInt8](repeating: 0, count: count - bytes.count)
            var arrived: Int?
            try part.withUnsafeMutableBufferPointer { buffer throws(SocketError) in
                let target = UnsafeMutableRawBufferPointer(buffer)
                if let chunk = try stream.receive(into: target) { arrived = chunk.byteCount }
            }
            guard let arrived else {
                try wait(stream, .arrival, deadline)
                continue
            }
            guard arrived > 0 else { throw SocketError(operation: "reply", code: 104) }
            bytes += part.prefix(arrived)
        }
        return bytes
    }

    private static func wait(
        _ stream: borrowing UnixStream,
        _ event: UnixStream.Event,
        _ deadline: Deadline
    ) throws(SocketError) {
        guard try stream.wait(for: event, until: deadline) == .ready else {
            throw SocketError(operation: "poll", code: 110)
        }
    }
}
