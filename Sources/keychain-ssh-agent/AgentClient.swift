import Glibc
import KeychainSockets
import SSHAgentProtocol
import Secrets

/// One connection, which receives messages and sends replies.
final class AgentClient: Sendable {
    /// The time limit for the rest of a message, and for room for a reply.
    private static let patienceMilliseconds: UInt32 = 30_000

    private let stream: UnixStream

    init(_ stream: consuming UnixStream) { self.stream = stream }

    /// Whether the client is still connected.
    var isThere: @Sendable () -> Bool { { [self] in !stream.isEnded() } }

    /// Waits for the next message, and returns it without its frame.
    ///
    /// - Returns: The message; nil at the end of the connection, and after invalid bytes.
    func receive() -> SharedSecret? {
        guard (try? stream.wait(for: .arrival, until: .never, looking: true)) == .ready else {
            return nil
        }
        let deadline = Deadline.after(milliseconds: Self.patienceMilliseconds)
        var header = [UInt8](repeating: 0, count: AgentFrame.headerByteCount)
        let hasHeader = header.withUnsafeMutableBytes { fill($0, until: deadline) }
        guard hasHeader, let count = AgentFrame.byteCount(header: header) else { return nil }
        var isWhole = false
        let message = Secret(byteCount: count) { isWhole = fill($0, until: deadline) }
        return isWhole ? SharedSecret(message) : nil
    }

    /// Sends a reply.
    ///
    /// - Returns: Whether the client received it.
    func send(_ reply: AgentReply) -> Bool {
        let message = reply.message
        // A shortened listing would be false, so it becomes a failure.
        guard message.count <= AgentFrame.byteCountLimit else { return send(.failure) }
        let bytes = AgentFrame.framing(message)
        let deadline = Deadline.after(milliseconds: Self.patienceMilliseconds)
        return bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                guard let sent = try? stream.send(UnsafeRawBufferPointer(rebasing: rest)) else {
                    let wakeup = try? stream.wait(for: .room, until: deadline)
                    guard wakeup == .ready else { return false }
                    continue
                }
                rest = rest.dropFirst(sent)
            }
            return true
        }
    }

    private func fill(_ target: UnsafeMutableRawBufferPointer, until deadline: Deadline) -> Bool {
        var rest = target[...]
        while !rest.isEmpty {
            let place = UnsafeMutableRawBufferPointer(rebasing: rest)
            switch arrived(into: place) {
            case .bytes(let count): rest = rest.dropFirst(count)
            case .end: return false
            case .nothing:
                guard (try? stream.wait(for: .arrival, until: deadline)) == .ready else {
                    return false
                }
            }
        }
        return true
    }

    private enum Arrival { case bytes(Int), nothing, end }

    private func arrived(into target: UnsafeMutableRawBufferPointer) -> Arrival {
        do throws(SocketError) {
            guard let chunk = try stream.receive(into: target) else { return .nothing }
            // A process of another account may have inherited the connection.
            guard chunk.byteCount > 0, chunk.peer.map({ AgentServer.serves($0.userID) }) ?? true
            else { return .end }
            return .bytes(chunk.byteCount)
        } catch { return .end }
    }
}
