import Foundation
import Glibc
import KeychainMessages
import KeychainModel
import KeychainServer
import KeychainSockets
import KeychainWire
import MessageTransport
import Secrets

/// A server at a socket of its own, and ways to connect.
final class ServerRig {
    let service: FakeService
    let server: SocketServer
    let path: String
    private let directory: String

    init(
        limits: ServerLimits = ServerLimits(),
        service: FakeService = FakeService(),
        evidence: FakeEvidence = FakeEvidence(),
        person: @escaping @Sendable (UInt32) -> UInt32 = { $0 }
    ) throws {
        directory = FileManager.default.temporaryDirectory.path + "/server-" + UUID().uuidString
        mkdir(directory, 0o700)
        path = directory + "/socket"
        self.service = service
        server = try SocketServer(
            service: service,
            evidence: evidence,
            limits: limits,
            person: person
        )
        try server.accept(from: try UnixListener(at: path, mode: 0o600))
    }

    deinit {
        server.stop()
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// A program that has said hello.
    func client(
        token: SessionToken? = nil,
        answersPrompts: Bool = false
    ) throws -> ClientConnection {
        let hello = ClientHello(token: token, answersPrompts: answersPrompts)
        return try ClientConnection(connectingTo: path, hello)
    }

    /// A program that sends what it wants.
    func raw() throws -> RawClient { try RawClient(path) }
}

/// A connection over which anything can be sent.
final class RawClient {
    let stream: MessageStream

    init(_ path: String) throws {
        stream = MessageStream(
            try UnixStream(connectingTo: path, milliseconds: 60_000),
            to: .daemon
        )
    }

    func send(bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { bytes in _ = try stream.stream.send(bytes) }
    }

    func send(_ message: ClientMessage, token: SessionToken? = nil) throws {
        var buffer = WireBuffer()
        try message.encode(token: token, into: &buffer)
        try stream.send(buffer, from: .client, patience: 60_000)
    }

    func receive() throws(TransportError) -> DaemonMessage {
        var buffer = WireBuffer()
        var terms = MessageStream.Terms(
            frameByteCountLimit: WireSide.daemon.frameByteCountLimit,
            milliseconds: 60_000
        )
        terms.begin = .after(milliseconds: 120_000)
        _ = try stream.receive(into: &buffer, terms)
        return try buffer.withUnsafeBytes { bytes throws(TransportError) in
            try fromWire { () throws(WireError) in try DaemonMessage.decode(bytes) }
        }
    }

    /// Says hello; the token of the session.
    func greet(answersPrompts: Bool = false) throws -> SessionToken {
        try send(.hello(ClientHello(answersPrompts: answersPrompts)))
        guard case .welcome(let welcome) = try receive() else { throw NoWelcome() }
        return welcome.token
    }

    /// How the connection ends; nil if a message comes that is no refusal.
    func end() -> ServerEnd? {
        do throws(TransportError) {
            guard case .refusal(let error) = try receive() else { return nil }
            return .refused(error.reason)
        } catch { return .closed }
    }

    struct NoWelcome: Error {}
}

/// How a server ended a connection.
enum ServerEnd: Equatable {
    /// It said why.
    case refused(String)
    case closed

    /// Whether it said why, with these words among others.
    func says(_ words: String) -> Bool {
        if case .refused(let reason) = self { reason.contains(words) } else { false }
    }
}

extension Request {
    static let atOnce = Request.device(.lock)
    static let challenged = Request.device(
        .unlock(passcode: SharedSecret(Secret(copying: [UInt8]("0000".utf8))))
    )
    static let waiting = Request.authenticate(.biometryStatus)
    static let large = Request.items(.list([:]))
}

extension PromptAnswer {
    static func words(_ text: String) -> PromptAnswer {
        .typed(SharedSecret(Secret(copying: Array(text.utf8))))
    }
}
