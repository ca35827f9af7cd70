import KeychainModel
import KeychainSockets
import KeychainWire

/// The reason why a message was not received or sent.
package enum TransportError: Error, Sendable, Hashable {
    /// The other side closed the connection between two messages.
    case ended
    /// The other side closed the connection in the middle of a message.
    case cutOff
    /// The other side closed the connection before it had received all sent bytes.
    case reset
    /// The process at the other side has ended, although another process still has its socket.
    case processEnded
    /// The time limit has expired.
    case timedOut
    /// No message began before the deadline; the caller continues to wait elsewhere.
    case idle
    /// The bytes are not a message.
    case malformed(WireError)
    /// The parts of a message come from different processes.
    case mixedSenders
    case socket(SocketError)

    /// The error as the end of a sentence.
    package var words: String {
        switch self {
        case .ended: "it closed the connection"
        case .cutOff: "it closed the connection in the middle of a message"
        case .reset: "it closed the connection without receiving everything"
        case .processEnded: "its process has ended"
        case .idle: "it sent nothing"
        case .timedOut: "it did not answer in time"
        case .malformed(let error): "the message is malformed: \(error.words)"
        case .mixedSenders: "several processes sent parts of one message"
        case .socket(let error): error.words
        }
    }
}

/// Runs work, and converts a socket's error to one of the transport.
func fromSocket<R: ~Copyable>(
    _ body: () throws(SocketError) -> R
) throws(TransportError) -> R {
    do throws(SocketError) { return try body() } catch {
        throw error.isEnd ? .reset : .socket(error)
    }
}

/// Runs work, and converts the codec's error to one of the transport.
package func fromWire<R: ~Copyable>(
    _ body: () throws(WireError) -> R
) throws(TransportError) -> R {
    do throws(WireError) { return try body() } catch { throw .malformed(error) }
}
