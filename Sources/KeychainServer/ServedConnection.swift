import KeychainMessages
import KeychainModel
import KeychainSockets
import KeychainWire
import MessageTransport
import ProcessWitness
import Secrets
import Synchronization

/// The parts that all connections of a server share.
struct ServerParts: Sendable {
    let service: any SessionService
    let evidence: any EvidenceSource
    let limits: ServerLimits
    let sessions = SessionTable()
    let census: ConnectionCensus
    let messages = MessageCount()
    /// Returns the person that an account's connections are charged to.
    let person: @Sendable (UInt32) -> UInt32
}

/// The number of messages that all connections have received.
final class MessageCount: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    func add() { count.wrappingAdd(1, ordering: .relaxed) }
}

/// The reason why a connection ends.
enum ConnectionEnd: Error {
    /// The connection or its process is gone, or does not accept messages.
    case gone
    /// The connection does not end: no message came for a while.
    case idle
    /// The connection is refused, and the program receives the error.
    case refused(KeychainError)
}

/// One connection, which waits, judges and carries out work.
///
/// It has a thread of its own while there is work to do.
///
/// `@unchecked Sendable` is sound because everything that changes belongs to the thread in `run`.
/// There is one at a time, because `IdleConnections` passes the connection on under its lock. Other
/// threads only end the socket, check it, or send under the lock of `writer`.
final class ServedConnection: @unchecked Sendable {
    let parts: ServerParts
    let stream: MessageStream
    /// The account that connected.
    let userID: UInt32
    /// The person that its resources are charged to.
    let person: UInt32
    /// The place of its wait for a message among all waits; a later wait has a greater one.
    ///
    /// It is 0 while the connection works, and for an agent.
    let idleSince = Atomic(ServedConnection.nextWait())
    private static let waitCount = Atomic<UInt64>(0)
    private let writer = AdaptiveMutex(WireBuffer())

    /// A thread that serves all connections may release the last reference.
    deinit { stream.stream.letGo() }

    // State of the connection's own thread.
    var rules = ConnectionRules()
    var buffer = WireBuffer()
    var ahead = ReadAhead()
    var session: ServedSession?
    /// Whether the request in progress is a large one.
    var holdsMuch = false
    var agent: (any AgentRegistration)?

    init(_ stream: consuming UnixStream, of userID: UInt32, _ parts: ServerParts) {
        self.stream = MessageStream(stream, to: .client)
        self.userID = userID
        self.person = parts.person(userID)
        self.parts = parts
    }

    private static func nextWait() -> UInt64 {
        waitCount.wrappingAdd(1, ordering: .relaxed).newValue
    }

    /// Stops receiving: the call in progress finishes, and no other begins.
    func endReceiving() { stream.stream.endReceiving() }

    /// Ends the connection.
    func end() { stream.stream.end() }

    /// Serves until the connection has to end, and leaves its session.
    ///
    /// - Returns: False if it does not end: no message came for a while, and the thread can end.
    func run() -> Bool {
        do throws(ConnectionEnd) {
            while true { try serveNext() }
        } catch {
            if case .idle = error {
                giveBackMemory()
                return false
            }
            if case .refused(let refusal) = error {
                _ = send(.refusal(refusal))
                parts.service.noteRefusal(refusal, of: words, account: userID)
            }
        }
        finish()
        return true
    }

    /// Releases everything that the program had through this connection.
    func finish() {
        agent?.left()
        leaveSession()
    }

    /// Releases the buffers that an idle connection does not need.
    private func giveBackMemory() {
        buffer = WireBuffer()
        ahead = ReadAhead()
        writer.withLock { $0 = WireBuffer() }
    }

    /// A description of the other side, for the log.
    private var words: String {
        guard let peer = rules.member?.peer else { return "a program of account \(userID)" }
        return "process \(peer.processID) of account \(peer.userID)"
    }

    /// Leaves the session, which ends with its last connection.
    func leaveSession() {
        guard let session else { return }
        self.session = nil
        parts.sessions.leave(session)
    }

    /// Sends a message; several threads may send to an agent.
    ///
    /// - Returns: Whether the message was sent.
    func send(_ message: DaemonMessage) -> Bool {
        writer.withLock { buffer in
            defer { buffer.reset() }
            guard Self.encode(message, &buffer) else { return false }
            var held = parts.census.reserveReply(buffer.byteCount, for: person)
            if held == nil {
                buffer.reset()
                let failure = DaemonMessage.failure(Self.tooMuchUnread, [])
                guard Self.encode(failure, &buffer) else { return false }
                held = 0
            }
            defer { parts.census.releaseReply(held ?? 0, for: person) }
            let patience = parts.limits.replyMilliseconds
            return (try? stream.send(buffer, from: .daemon, patience: patience)) != nil
        }
    }

    func reply(_ message: DaemonMessage) throws(ConnectionEnd) {
        guard send(message) else { throw .gone }
    }

    private static let tooMuchUnread = KeychainError(
        .allocate,
        "programs of this account have not read other large replies yet; try again"
    )

    /// Encodes a message, or the reason why it cannot be sent.
    private static func encode(_ message: DaemonMessage, _ buffer: inout WireBuffer) -> Bool {
        do throws(WireError) {
            try message.encode(into: &buffer)
            return true
        } catch {
            guard case .reply = message else { return false }
            let reason = "the reply cannot be sent (\(error.words)); ask for fewer items at once"
            let failure = DaemonMessage.failure(KeychainError(.allocate, reason), [])
            return (try? failure.encode(into: &buffer)) != nil
        }
    }
}

// Handling the next message, as the rules decide.
extension ServedConnection {
    private func serveNext() throws(ConnectionEnd) {
        var received = try receive(mayBeIdle: session != nil && ahead.isEmpty)
        idleSince.store(0, ordering: .relaxed)
        defer { if agent == nil { idleSince.store(Self.nextWait(), ordering: .relaxed) } }
        defer { parts.census.release(received.reserved, for: person) }
        holdsMuch = received.reserved > parts.limits.largeRequestByteCount
        let step: ConnectionRules.Step
        do throws(KeychainError) { step = try rules.step(for: received.message) } catch {
            throw .refused(error)
        }
        switch step {
        case .nothing, .greet: break
        case .carryOut, .tell, .becomeAgent, .promptAnswer:
            if let session { try confirm(session) }
        }
        switch step {
        case .nothing: return
        case .greet(let hello):
            guard let peer = received.peer else { throw .gone }
            try greet(hello, peer, received.process.take())
        case .carryOut(let request): try carryOut(request)
        case .tell(let request): try tell(request)
        case .becomeAgent: try becomeAgent()
        case .promptAnswer(let prompt, let answer): agent?.answered(prompt, answer)
        }
    }

    private func tell(_ request: DaemonRequest) throws(ConnectionEnd) {
        guard let session else { throw .gone }
        let answer: DaemonMessage
        do throws(KeychainError) {
            answer = .daemon(
                try whileWaited(in: parts.census.slots(of: person)) { () throws(KeychainError) in
                    try session.program.answer(request)
                }
            )
        } catch { answer = .failure(error, []) }
        try reply(answer)
    }

    private func becomeAgent() throws(ConnectionEnd) {
        guard let session else { throw .gone }
        do throws(KeychainError) {
            agent = try session.program.becomeAgent(self)
        } catch { throw .refused(error) }
        rules.becomeAgent()
    }
}

extension ServedConnection: AgentConnection {
    func deliver(_ message: DaemonMessage) -> Bool { send(message) }
}
