import Glibc
import KeychainMessages
import KeychainModel
import KeychainSockets
import KeychainWire
import Secrets
import Synchronization

/// A program's connection to a daemon, from its hello on.
///
/// `@unchecked Sendable` is sound because whoever has a connection out of a pool is the only one
/// who uses it; `end` and `hasArrival` alone may be called by others, and touch nothing but the
/// socket and an atomic.
package final class ClientConnection: @unchecked Sendable {
    /// How long connecting may take, and the answer to a hello, in milliseconds.
    package static let greetingMilliseconds: UInt32 = 5000
    /// How long a daemon may take for the rest of a message that has begun, and how long before it
    /// takes more of a request.
    private static let messageMilliseconds: UInt32 = 30_000

    private let stream: MessageStream
    private var buffer = WireBuffer()
    private var ahead = ReadAhead()
    /// Whether more has arrived than the message that was received last.
    private let hasMore = Atomic(false)
    /// What the daemon said of itself.
    package let welcome: DaemonWelcome

    /// Connects to the socket at a path and says hello.
    ///
    /// - Parameters:
    ///   - path: The socket's path.
    ///   - hello: What is said.
    ///   - server: Whose daemon counts; another one hears nothing.
    /// - Throws: `ConnectionError`.
    package convenience init(
        connectingTo path: String,
        _ hello: ClientHello,
        server: ServerAccounts = .any
    ) throws(ConnectionError) {
        let stream: UnixStream
        do throws(SocketError) {
            stream = try UnixStream(
                connectingTo: path,
                milliseconds: Int32(Self.greetingMilliseconds)
            )
        } catch { throw .unreachable(error.words) }
        try Self.require(server, of: stream)
        try self.init(stream, hello)
    }

    private static func require(
        _ server: ServerAccounts,
        of stream: borrowing UnixStream
    ) throws(ConnectionError) {
        if server == .any { return }
        let listener: UInt32
        do throws(SocketError) { listener = try stream.peer().userID } catch {
            throw .unreachable(error.words)
        }
        guard server.contains(listener) else { throw .foreignServer(listener) }
    }

    private static func isOfThisAccount(_ stream: borrowing UnixStream) -> Bool {
        do throws(SocketError) { return try stream.peer().userID == geteuid() } catch {
            return false
        }
    }

    /// Says hello on a connection.
    ///
    /// - Throws: `ConnectionError`.
    package init(
        _ stream: consuming UnixStream,
        _ hello: ClientHello
    ) throws(ConnectionError) {
        let messages = MessageStream(stream, to: .daemon)
        // A daemon of this very account sees no process that keeps the account away from itself.
        let isLookedAt =
            hello.token == nil && Self.isOfThisAccount(messages.stream) && CoreDump.beginLook()
        defer { if isLookedAt { CoreDump.endLook() } }
        var buffer = WireBuffer()
        let answer: DaemonMessage
        do throws(TransportError) {
            try fromWire { () throws(WireError) in
                try ClientMessage.hello(hello).encode(token: nil, into: &buffer)
            }
            try messages.send(buffer, from: .client, patience: Self.greetingMilliseconds)
        } catch {
            // A daemon that refuses everybody may have said so before it heard the hello.
            guard error == .reset, let refusal = Self.refusal(messages, &buffer) else {
                throw .unreachable(error.words)
            }
            throw .refused(refusal)
        }
        do throws(TransportError) {
            answer = try Self.receive(
                messages,
                &buffer,
                begin: .after(milliseconds: Self.greetingMilliseconds)
            )
        } catch { throw .unreachable(error.words) }
        switch answer {
        case .welcome(let welcome):
            self.welcome = welcome
            // The daemon looks again at who sends the first message with the token.
            if isLookedAt { try Self.confirm(welcome.token, messages, &buffer) }
        case .refusal(let error): throw .refused(error)
        default: throw .unreachable("its answer to the greeting is none")
        }
        self.stream = messages
        self.buffer = buffer
    }

    /// Sends a message about nothing but this program, and waits for whatever is answered.
    ///
    /// - Throws: `ConnectionError`.
    private static func confirm(
        _ token: SessionToken,
        _ stream: borrowing MessageStream,
        _ buffer: inout WireBuffer
    ) throws(ConnectionError) {
        let answer: DaemonMessage
        do throws(TransportError) {
            try fromWire { () throws(WireError) in
                try ClientMessage.daemon(.describeCaller).encode(token: token, into: &buffer)
            }
            try stream.send(buffer, from: .client, patience: greetingMilliseconds)
            // The daemon may have to open the keychain first, and to unlock it.
            let limit = Deadline.after(milliseconds: messageMilliseconds)
            answer = try receive(stream, &buffer, begin: limit)
        } catch { throw .unreachable(error.words) }
        if case .refusal(let error) = answer { throw .refused(error) }
    }

    /// Sends a message.
    ///
    /// - Throws: `ConnectionError`: `notTaken`, as the daemon has not got all of it; `unsendable`.
    package func send(_ message: ClientMessage) throws(ConnectionError) {
        do throws(WireError) {
            try message.encode(token: welcome.token, into: &buffer)
        } catch { throw .unsendable(error) }
        defer { buffer.reset() }
        do throws(TransportError) {
            try stream.send(buffer, from: .client, patience: Self.messageMilliseconds)
        } catch { throw .notTaken(error.words) }
    }

    /// Waits for the next message, for as long as it takes.
    ///
    /// - Throws: `ConnectionError`: `notTaken` if what was sent last was not read, `lost` if it may
    ///   have been.
    package func receive() throws(ConnectionError) -> DaemonMessage {
        defer { hasMore.store(!ahead.isEmpty, ordering: .releasing) }
        do throws(TransportError) {
            return try Self.receive(stream, &buffer, &ahead, begin: .never)
        } catch {
            switch error {
            // The kernel tells that the daemon's end was closed with bytes that nobody had read.
            case .reset: throw .notTaken(error.words)
            default: throw .lost(error.words)
            }
        }
    }

    /// Whether something has arrived, or the connection has ended.
    package var hasArrival: Bool {
        hasMore.load(ordering: .acquiring) || stream.stream.hasArrival()
    }

    /// Ends the connection: whoever waits for a message hears of it.
    package func end() { stream.stream.end() }

    /// In a forked child: closes this process's copy of the socket, which stays the parent's.
    ///
    /// Only for a connection that a thread of the parent used, and that nobody here lets go of.
    package func closeCopy() { stream.stream.closeCopy() }

    private static func receive(
        _ stream: borrowing MessageStream,
        _ buffer: inout WireBuffer,
        begin: Deadline
    ) throws(TransportError) -> DaemonMessage {
        var nothing = ReadAhead()
        return try receive(stream, &buffer, &nothing, begin: begin, readsAhead: false)
    }

    private static func receive(
        _ stream: borrowing MessageStream,
        _ buffer: inout WireBuffer,
        _ ahead: inout ReadAhead,
        begin: Deadline,
        readsAhead: Bool = true
    ) throws(TransportError) -> DaemonMessage {
        var terms = MessageStream.Terms(
            frameByteCountLimit: WireSide.daemon.frameByteCountLimit,
            milliseconds: messageMilliseconds
        )
        terms.begin = begin
        terms.readsAhead = readsAhead
        _ = try stream.receive(into: &buffer, &ahead, terms)
        defer { buffer.reset() }
        return try buffer.withUnsafeBytes { bytes throws(TransportError) in
            try fromWire { () throws(WireError) in try DaemonMessage.decode(bytes) }
        }
    }

    private static func refusal(
        _ stream: borrowing MessageStream,
        _ buffer: inout WireBuffer
    ) -> KeychainError? {
        let message = try? receive(stream, &buffer, begin: .after(milliseconds: 0))
        guard case .refusal(let error)? = message else { return nil }
        return error
    }
}

/// Why a daemon could not be asked.
package enum ConnectionError: Error, Sendable {
    /// It could not be reached, and why.
    case unreachable(String)
    /// An account listens there that may not, by its number.
    case foreignServer(UInt32)
    /// It refused.
    case refused(KeychainError)
    /// It has surely not carried out what was sent last, and why.
    case notTaken(String)
    /// It may or may not have carried it out.
    case lost(String)
    /// The message is none that can be sent, and why.
    case unsendable(WireError)
}
