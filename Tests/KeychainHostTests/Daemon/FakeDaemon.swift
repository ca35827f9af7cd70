import Foundation
import Glibc
import KeychainMessages
import KeychainModel
import KeychainSockets
import KeychainWire
import MessageTransport
import Secrets
import Synchronization

/// The daemon's side of a socket, which does what a test tells it to.
final class FakeDaemon: Sendable {
    /// What it does with a message.
    enum Action: Sendable {
        case send(DaemonMessage)
        /// Sends one message after the other.
        case sendAll([DaemonMessage])
        /// Closes the connection.
        case close

        /// Says that all is done.
        static let done = Action.send(.reply(.device(.changed(warnings: [])), []))
    }

    struct Seen {
        var connectionCount = 0
        var hellos: [ClientHello] = []
        var messageCount = 0
        var servedCount = 0
        var mostServed = 0
    }

    let path: String
    let seen = Mutex(Seen())
    private let folder: String
    private let token: SessionToken
    private let action: @Sendable (_ message: ClientMessage, _ count: Int) -> Action
    /// Whether a connection is closed right after its greeting, by its number.
    private let closesAtOnce: @Sendable (Int) -> Bool
    /// What a connection hears in place of a greeting, by its number.
    private let refusal: @Sendable (Int) -> KeychainError?

    init(
        closingAtOnce closesAtOnce: @escaping @Sendable (Int) -> Bool,
        refusing refusal: @escaping @Sendable (Int) -> KeychainError? = { _ in nil },
        action: @escaping @Sendable (_ message: ClientMessage, _ count: Int) -> Action
    ) throws {
        folder = FileManager.default.temporaryDirectory.path + "/fake-" + UUID().uuidString
        mkdir(folder, 0o700)
        path = folder + "/socket"
        token = SessionToken(SharedSecret(try RandomBytes.secret(byteCount: 16)))
        self.action = action
        self.closesAtOnce = closesAtOnce
        self.refusal = refusal
        let listener = Listening(try UnixListener(at: path, mode: 0o600))
        Thread.detachNewThread { [weak self] in
            while true {
                var request = pollfd(
                    fd: listener.socket.descriptor.number,
                    events: Int16(POLLIN),
                    revents: 0
                )
                poll(&request, 1, 50)
                guard let daemon = self else { return }
                if let stream = try? listener.socket.accept() { daemon.serve(stream) }
            }
        }
    }

    /// A daemon that closes no connection by itself.
    convenience init(
        action: @escaping @Sendable (_ message: ClientMessage, _ count: Int) -> Action = { _, _ in
            Action.done
        }
    ) throws {
        try self.init(closingAtOnce: { _ in false }, action: action)
    }

    /// A daemon that refuses some connections, and does what the others ask for.
    convenience init(refusing refusal: @escaping @Sendable (Int) -> KeychainError?) throws {
        try self.init(closingAtOnce: { _ in false }, refusing: refusal) { _, _ in .done }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private final class Listening: Sendable {
        let socket: UnixListener

        init(_ socket: consuming UnixListener) { self.socket = socket }
    }

    private final class Connection: Sendable {
        let stream: MessageStream

        init(_ stream: consuming UnixStream) {
            self.stream = MessageStream(stream, to: .client)
        }
    }

    private func serve(_ stream: consuming UnixStream) {
        let connection = Connection(stream)
        let number = seen.withLock { seen in
            seen.connectionCount += 1
            return seen.connectionCount
        }
        Thread.detachNewThread { self.run(connection, number) }
    }

    private func run(_ connection: Connection, _ number: Int) {
        while let message = receive(connection) {
            if case .hello(let hello) = message {
                seen.withLock { $0.hellos.append(hello) }
                if let error = refusal(number) { return send(.refusal(error), connection) }
                send(.welcome(welcome), connection)
                if closesAtOnce(number) { return }
                continue
            }
            let count = seen.withLock { seen in
                seen.messageCount += 1
                seen.servedCount += 1
                seen.mostServed = max(seen.mostServed, seen.servedCount)
                return seen.messageCount
            }
            let next = action(message, count)
            seen.withLock { $0.servedCount -= 1 }
            switch next {
            case .send(let answer): send(answer, connection)
            case .sendAll(let answers): for answer in answers { send(answer, connection) }
            case .close: return
            }
        }
    }

    private var welcome: DaemonWelcome {
        DaemonWelcome(
            version: 1,
            token: token,
            kind: .userDaemon,
            profiles: Profiles(system: .host, behavior: .documented)
        )
    }

    private func receive(_ connection: Connection) -> ClientMessage? {
        var buffer = WireBuffer()
        let terms = MessageStream.Terms(
            frameByteCountLimit: FrameHeader.bodyByteCountLimit,
            milliseconds: 60_000
        )
        guard (try? connection.stream.receive(into: &buffer, terms)) != nil else { return nil }
        return buffer.withUnsafeBytes { try? ClientMessage.decode($0).message }
    }

    private func send(_ message: DaemonMessage, _ connection: Connection) {
        var buffer = WireBuffer()
        try? message.encode(into: &buffer)
        try? connection.stream.send(buffer, from: .daemon, patience: 60_000)
    }
}
