import Glibc
import KeychainMessages
import KeychainModel
import KeychainSockets
import KeychainWire
import MessageTransport
import ProcessWitness
import Secrets
import Synchronization

/// What all connections of a server share.
struct ServerParts: Sendable {
    let service: any SessionService
    let evidence: any EvidenceSource
    let limits: ServerLimits
    let sessions = SessionTable()
    let census: ConnectionCensus
    let messages = MessageCount()
    /// Who answers for an account: what its connections use counts for that person.
    let person: @Sendable (UInt32) -> UInt32
}

/// How many messages all connections have received.
final class MessageCount: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    func add() { count.wrappingAdd(1, ordering: .relaxed) }
}

/// Why a connection ends.
enum ConnectionEnd: Error {
    /// It, or its process, is gone, or takes nothing.
    case gone
    /// It does not end: no message came for a while.
    case idle
    /// The program is told why.
    case refused(KeychainError)
}

/// One connection: it waits, judges, and has the work done, on a thread of its own while there is
/// something to do.
///
/// `@unchecked Sendable` is sound because everything that changes belongs to the thread in `run`,
/// of which there is one at a time: `IdleConnections` hands the connection on under its lock. Other
/// threads end the socket, look at it, or send under the lock of `writer`.
final class ServedConnection: @unchecked Sendable {
    let parts: ServerParts
    let stream: MessageStream
    /// The account that connected.
    let userID: UInt32
    /// Who answers for it; what the connection holds is counted for that person.
    let person: UInt32
    /// Since when it waits for a message, on the monotonic clock in milliseconds; 0 while it works,
    /// and for an agent.
    let idleSince = Atomic(ServedConnection.milliseconds())
    private let writer = AdaptiveMutex(WireBuffer())

    /// The last reference may be that of a thread that serves everybody.
    deinit { stream.stream.letGo() }

    // The thread's own.
    var rules = ConnectionRules()
    var buffer = WireBuffer()
    var ahead = ReadAhead()
    var session: ServedSession?
    /// Whether the request that is carried out is a large one.
    var holdsMuch = false
    var agent: (any AgentRegistration)?

    init(_ stream: consuming UnixStream, of userID: UInt32, _ parts: ServerParts) {
        self.stream = MessageStream(stream, to: .client)
        self.userID = userID
        self.person = parts.person(userID)
        self.parts = parts
    }

    private static func milliseconds() -> UInt64 {
        var now = timespec()
        guard clock_gettime(CLOCK_MONOTONIC, &now) == 0 else { return 1 }
        return UInt64(now.tv_sec) * 1000 + UInt64(now.tv_nsec) / 1_000_000
    }

    /// Ends what arrives: the call under way is finished, and no other begins.
    func endReceiving() { stream.stream.endReceiving() }

    /// Ends the connection.
    func end() { stream.stream.end() }

    /// Serves until the connection is to be ended, and leaves its session.
    ///
    /// - Returns: False if it does not end: nothing came for a while, and the thread can go.
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

    /// Lets go of what the program had through it.
    func finish() {
        agent?.left()
        leaveSession()
    }

    /// What an idle connection need not hold.
    private func giveBackMemory() {
        buffer = WireBuffer()
        ahead = ReadAhead()
        writer.withLock { $0 = WireBuffer() }
    }

    /// The other side, for the log.
    private var words: String {
        guard let peer = rules.member?.peer else { return "a program of account \(userID)" }
        return "process \(peer.processID) of account \(peer.userID)"
    }

    /// Leaves the session; with its last connection it ends.
    func leaveSession() {
        guard let session else { return }
        self.session = nil
        parts.sessions.leave(session)
    }

    /// Sends a message; for an agent several threads do so.
    ///
    /// - Returns: Whether it went.
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

    /// Writes a message, or why it cannot be sent.
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

// The next message, by what the rules make of it.
extension ServedConnection {
    private func serveNext() throws(ConnectionEnd) {
        var received = try receive(mayBeIdle: session != nil && ahead.isEmpty)
        idleSince.store(0, ordering: .relaxed)
        defer { if agent == nil { idleSince.store(Self.milliseconds(), ordering: .relaxed) } }
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
