import KeychainModel
import KeychainSockets
import KeychainWire
import MessageTransport

// Receiving messages, and the checks before a message is read.
extension ServedConnection {
    /// A message with its sender.
    struct Received: ~Copyable {
        let message: ClientMessage
        let peer: PeerIdentity?
        /// The process that sent it, if it was not known.
        var process: Descriptor?
        /// The bytes that it holds of the account's share.
        let reserved: Int
    }

    /// Waits for the next message of a permitted sender.
    ///
    /// - Parameter mayBeIdle: Whether to throw `idle` if none arrives for a while.
    /// - Returns: The message, with its sender.
    /// - Throws: The reason to end the connection, or `idle`.
    func receive(mayBeIdle: Bool = false) throws(ConnectionEnd) -> Received {
        var reserved = 0
        var isAdmitted = false
        var turn: LargeCallTurn?
        defer {
            buffer.reset()
            turn?.leave()
            if !isAdmitted { parts.census.release(reserved, for: person) }
        }
        var origin = try receiveBytes(&reserved, &turn, mayBeIdle)
        let message: ClientMessage
        do throws(KeychainError) { message = try decode(from: origin.peer) } catch {
            throw .refused(error)
        }
        isAdmitted = true
        parts.messages.add()
        return Received(
            message: message,
            peer: origin.peer,
            process: origin.process.take(),
            reserved: reserved
        )
    }

    private func receiveBytes(
        _ reserved: inout Int,
        _ turn: inout LargeCallTurn?,
        _ mayBeIdle: Bool
    ) throws(ConnectionEnd) -> MessageStream.Origin {
        let (census, person) = (parts.census, person)
        var share: Int? = 0
        do throws(TransportError) {
            return try stream.receive(into: &buffer, &ahead, terms(mayBeIdle)) {
                count throws(TransportError) in
                if count > parts.limits.largeRequestByteCount {
                    // Wait before the rest arrives, so that a waiting request holds next to no
                    // memory.
                    turn = census.arrivals(of: person)
                    turn?.enter()
                    share = census.reserveSoon(count, for: person)
                } else {
                    share = census.reserve(count, for: person)
                }
                guard let share else { throw .malformed(.limitExceeded("size of requests")) }
                reserved = share
            }
        } catch {
            if share == nil {
                let reason =
                    "the account's programs send more than \(parts.limits.requestByteCount) bytes"
                    + " at once; try again"
                throw .refused(KeychainError(.notAvailable, reason))
            }
            switch error {
            case .malformed, .mixedSenders: throw .refused(.refusedConnection(error.words))
            case .idle: throw .idle
            case .ended, .cutOff, .reset, .processEnded, .timedOut, .socket: throw .gone
            }
        }
    }

    /// Checks the sender first; the rest of a message that is not admitted is never decoded.
    private func decode(from peer: PeerIdentity?) throws(KeychainError) -> ClientMessage {
        let rules = rules
        return try buffer.withUnsafeBytes { bytes throws(KeychainError) in
            let (token, isHello) = try wellFormed { () throws(WireError) in
                try ClientMessage.token(of: bytes)
            }
            try rules.admit(token: token, isHello: isHello, from: peer)
            return try wellFormed { () throws(WireError) in
                try ClientMessage.decode(bytes).message
            }
        }
    }

    private func wellFormed<R>(_ body: () throws(WireError) -> R) throws(KeychainError) -> R {
        do throws(WireError) { return try body() } catch {
            throw .refusedConnection("a message is malformed: \(error.words)")
        }
    }

    private func terms(_ mayBeIdle: Bool) -> MessageStream.Terms {
        var terms = MessageStream.Terms(
            frameByteCountLimit: WireLimit.helloByteCount,
            milliseconds: parts.limits.messageMilliseconds
        )
        terms.wantsProcess = true
        guard let session else {
            terms.begin = .after(milliseconds: parts.limits.helloMilliseconds)
            return terms
        }
        terms.frameByteCountLimit = FrameHeader.bodyByteCountLimit
        terms.readsAhead = true
        if mayBeIdle {
            terms.begin = .after(milliseconds: parts.limits.idleMilliseconds)
            terms.mayBeIdle = true
        }
        terms.known = session.peer
        terms.process = session.process.number
        return terms
    }
}
