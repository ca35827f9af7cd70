import KeychainModel
import KeychainSockets
import KeychainWire

/// Why no message came, or went.
package enum TransportError: Error, Sendable, Hashable {
    /// The other side closed the connection between two messages.
    case ended
    /// The other side closed the connection in the middle of a message.
    case cutOff
    /// The other side closed the connection before it had received what was sent to it.
    case reset
    /// The process at the other side has ended, although somebody still has its socket.
    case processEnded
    /// Nothing came, or went, for too long.
    case timedOut
    /// No message began, and whoever waits does so elsewhere from now on.
    case idle
    /// The bytes are no message.
    case malformed(WireError)
    /// The parts of a message come from different processes.
    case mixedSenders
    case socket(SocketError)

    /// What happened, as the end of a sentence.
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

/// Turns an error of a socket into one of the transport.
func fromSocket<R: ~Copyable>(
    _ body: () throws(SocketError) -> R
) throws(TransportError) -> R {
    do throws(SocketError) { return try body() } catch {
        throw error.isEnd ? .reset : .socket(error)
    }
}

/// Turns an error of the codec into one of the transport.
package func fromWire<R: ~Copyable>(
    _ body: () throws(WireError) -> R
) throws(TransportError) -> R {
    do throws(WireError) { return try body() } catch { throw .malformed(error) }
}
