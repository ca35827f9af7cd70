import Glibc
import KeychainMessages
import KeychainModel
import KeychainPrompts
import KeychainSockets
import KeychainWire
import MessageTransport
import Secrets

// Laws  (1) Nothing is sent before the first request.
//       (2) A request is sent again only if the daemon certainly did not receive it.
//       (3) A daemon that does not answer is an error, never another keychain.
//       (4) A lock does not wait for other calls of this program.

/// A program's endpoint for a daemon, with connections that it opens on demand.
package final class DaemonEndpoint: Endpoint {
    /// The socket's path.
    package let path: String
    private let server: ServerAccounts
    private let prompter: (any Prompter)?
    private let listener: @Sendable (Finding) -> Void
    private let declaration: Declaration
    private let pool: AdaptiveMutex<ConnectionPool>

    /// A function that returns the identity that this program declares.
    package typealias Declaration = @Sendable () throws(KeychainError) -> DeclaredIdentity

    /// - Parameters:
    ///   - path: The daemon's socket.
    ///   - server: The accounts whose daemon is accepted.
    ///   - prompter: Prompts for typed answers; nil leaves that to the account's agent.
    ///   - declaration: The identity for a simulated device; a daemon does not get it.
    ///   - note: Receives the daemon's findings about a call.
    package init(
        path: String,
        server: ServerAccounts = .any,
        prompter: (any Prompter)? = nil,
        declaration: @escaping Declaration = { () throws(KeychainError) in
            try DeclaredIdentity(of: .current)
        },
        note: @escaping @Sendable (Finding) -> Void
    ) {
        self.path = path
        self.server = server
        self.prompter = prompter
        self.declaration = declaration
        self.listener = note
        pool = AdaptiveMutex(ConnectionPool(of: ProcessNumber.current))
    }

    /// The daemon's profiles; until it is reached, those of this machine's keychains.
    package var profiles: Profiles {
        if let welcome = currentPool.welcome { return welcome.profiles }
        return (try? welcome())?.profiles ?? EmbeddedKeychain.profiles
    }

    package var endpointDescription: EndpointDescription {
        EndpointDescription((try? welcome())?.kind ?? .userDaemon, place: path)
    }

    package func note(_ finding: Finding) { listener(finding) }

    package func send(_ request: Request) throws(KeychainError) -> Reply {
        var isUrgent = false
        // Ending a context and locking close prompts, for which all connections may be waiting.
        switch request {
        case .authenticate(.end), .device(.lock): isUrgent = true
        default: break
        }
        switch try exchange(.request(request), isUrgent: isUrgent) {
        case .reply(let reply, let findings):
            for finding in findings { note(finding) }
            return reply
        case .failure(let error, let findings):
            for finding in findings { note(finding) }
            throw error
        default: throw .unexpectedReply
        }
    }

    /// Sends the daemon a request about itself.
    package func ask(_ request: DaemonRequest) throws(KeychainError) -> DaemonReply {
        switch try exchange(.daemon(request), isUrgent: false) {
        case .daemon(let reply): return reply
        case .failure(let error, _): throw error
        default: throw .unexpectedReply
        }
    }

    /// Returns the daemon's welcome.
    ///
    /// - Throws: The reason why the daemon cannot be reached.
    package func welcome() throws(KeychainError) -> DaemonWelcome {
        let pool = currentPool
        if let welcome = pool.welcome { return welcome }
        let connection: ClientConnection
        do throws(ConnectionError) { connection = try connect(pool) } catch {
            throw keychainError(error)
        }
        pool.giveBack(connection, isWhole: true)
        return connection.welcome
    }
}

// One message and its answer.
extension DaemonEndpoint {
    /// The pool of this process; a forked child gets a new one.
    private var currentPool: ConnectionPool {
        let processID = ProcessNumber.current
        return pool.withLock { pool in
            if pool.processID != processID {
                pool.abandon()
                pool = ConnectionPool(of: processID)
            }
            return pool
        }
    }

    private func exchange(
        _ message: ClientMessage,
        isUrgent: Bool
    ) throws(KeychainError) -> DaemonMessage {
        let pool = currentPool
        return try pool.takingTurns(isUrgent: isUrgent) { () throws(KeychainError) in
            if let idle = pool.takeIdle() {
                do throws(ConnectionError) {
                    return try converse(over: idle, in: pool, message)
                } catch {
                    guard error.isSurelyNotTaken else { throw keychainError(error) }
                }
                // The daemon was restarted, or has disconnected this program.
                pool.dropIdle()
            }
            do throws(ConnectionError) {
                return try converseAnew(in: pool, message)
            } catch { throw keychainError(error) }
        }
    }

    /// The time for which a lock is retried, and the pause in between, in milliseconds.
    private static let lockMilliseconds: UInt32 = 3000
    private static let lockPauseMilliseconds: Int32 = 50

    /// Sends a message over a new connection.
    ///
    /// A lock is retried for a short time, because a daemon without room for another connection, or
    /// one that systemd is still starting, must not prevent it.
    private func converseAnew(
        in pool: ConnectionPool,
        _ message: ClientMessage
    ) throws(ConnectionError) -> DaemonMessage {
        let limit = Deadline.after(milliseconds: Self.lockMilliseconds)
        while true {
            do throws(ConnectionError) {
                return try converse(over: try connect(pool), in: pool, message)
            } catch {
                guard case .request(.device(.lock)) = message, error.mayPass,
                    limit.pollMilliseconds > 0
                else { throw error }
                // This only waits; an interruption just shortens the pause.
                _ = poll(nil, 0, Self.lockPauseMilliseconds)
            }
        }
    }

    private func connect(_ pool: ConnectionPool) throws(ConnectionError) -> ClientConnection {
        let hello = ClientHello(token: pool.welcome?.token, answersPrompts: prompter != nil)
        let connection = try ClientConnection(connectingTo: path, hello, server: server)
        if connection.welcome.kind == .simulated { try declare(over: connection) }
        pool.lend(connection)
        return connection
    }

    /// Tells a simulated device which app this program is.
    private func declare(over connection: ClientConnection) throws(ConnectionError) {
        let words: [String]
        do throws(KeychainError) { words = try declaration().words } catch {
            throw .refused(error)
        }
        try connection.send(.daemon(.simulate(words)))
        switch try connection.receive() {
        case .daemon(.done): return
        case .failure(let error, _), .refusal(let error): throw .refused(error)
        default: throw .refused(.unexpectedReply)
        }
    }

    private func converse(
        over connection: ClientConnection,
        in pool: ConnectionPool,
        _ message: ClientMessage
    ) throws(ConnectionError) -> DaemonMessage {
        var isWhole = false
        defer { pool.giveBack(connection, isWhole: isWhole) }
        do throws(ConnectionError) { try connection.send(message) } catch {
            if case .unsendable = error { isWhole = true }
            throw error
        }
        let answer = try finalAnswer(over: connection, try connection.receive())
        if case .refusal(let error) = answer { throw .refused(error) }
        isWhole = true
        return answer
    }

    /// Answers challenges until the call is complete.
    private func finalAnswer(
        over connection: ClientConnection,
        _ first: DaemonMessage
    ) throws(ConnectionError) -> DaemonMessage {
        var next = first
        while case .challenge(let challenge) = next {
            let answer =
                prompter?.answer(challenge.prompt) { !connection.hasArrival } ?? .impossible
            do throws(ConnectionError) {
                // A message that arrives meanwhile means that the answer is no longer needed.
                if !connection.hasArrival { try connection.send(.answer(answer)) }
                next = try connection.receive()
            } catch {
                guard case .notTaken(let words) = error else { throw error }
                throw .lost(words)
            }
        }
        return next
    }

    private func keychainError(_ error: ConnectionError) -> KeychainError {
        let advice =
            "restart it, or set \(DaemonSocket.variable)= to use a keychain without a daemon"
        switch error {
        case .refused(let refusal): return refusal
        case .unreachable(let words):
            return KeychainError(
                .notAvailable,
                "the keychain daemon at \(path) does not answer (\(words)); \(advice)"
            )
        case .foreignServer(let userID):
            return KeychainError(
                .notAvailable,
                "account \(userID) listens at \(path): a protected program talks only to daemons of"
                    + " root and \(ServerAccounts.daemonAccount); unset \(DaemonSocket.variable)"
            )
        case .notTaken(let words):
            return KeychainError(
                .notAvailable,
                "the keychain daemon at \(path) did not take the call (\(words)); try again"
            )
        case .lost:
            return KeychainError(
                .notAvailable,
                "the keychain daemon at \(path) ended during the call, which may or may not have"
                    + " taken effect"
            )
        case .unsendable(.oversized):
            let limit = FrameHeader.bodyByteCountLimit
            let reason = "all values of the call together have more than \(limit) bytes"
            return KeychainError(.dataTooLarge, reason)
        case .unsendable(let error):
            return KeychainError(.param, "the call cannot be sent to the daemon: \(error.words)")
        }
    }
}

extension ConnectionError {
    /// Whether the daemon certainly did nothing with the last message.
    fileprivate var isSurelyNotTaken: Bool {
        switch self {
        case .notTaken, .refused: true
        case .unreachable, .foreignServer, .lost, .unsendable: false
        }
    }

    /// Whether the daemon received nothing, and may receive it a moment later.
    fileprivate var mayPass: Bool {
        switch self {
        case .refused(let refusal): refusal.status == .notAvailable
        case .unreachable, .notTaken: true
        case .foreignServer, .lost, .unsendable: false
        }
    }
}
