import Glibc
import KeychainMessages
import KeychainModel
import KeychainSockets
import KeychainWire
import Secrets
import Synchronization

/// A program's connection to a daemon, after its hello.
///
/// `@unchecked Sendable` is sound because only the thread that took a connection from a pool uses
/// it. Other threads may call only `end` and `hasArrival`, which use nothing but the socket and an
/// atomic.
package final class ClientConnection: @unchecked Sendable {
    /// The time limit for connecting, and for the reply to a hello, in milliseconds.
    package static let greetingMilliseconds: UInt32 = 5000
    /// The time limit for the rest of a message from the daemon, and for the daemon to accept more
    /// of a request, in milliseconds.
    private static let messageMilliseconds: UInt32 = 30_000

    private let stream: MessageStream
    private var buffer = WireBuffer()
    private var ahead = ReadAhead()
    /// Whether more has arrived after the last message.
    private let hasMore = Atomic(false)
    /// The daemon's description of itself.
    package let welcome: DaemonWelcome

    /// Connects to the socket at a path, and sends a hello.
    ///
    /// - Parameters:
    ///   - path: The socket's path.
    ///   - hello: The hello.
    ///   - server: The accounts whose daemon is accepted; another one receives nothing.
    /// - Throws: `ConnectionError` if there is no connection, or if the daemon refuses it.
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

    /// Sends a hello on a connection.
    ///
    /// - Throws: `ConnectionError` if the daemon does not reply, or refuses.
    package init(
        _ stream: consuming UnixStream,
        _ hello: ClientHello
    ) throws(ConnectionError) {
        let messages = MessageStream(stream, to: .daemon)
        // A daemon of the same account cannot see a process that hides from the account.
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
            // A daemon that refuses all connections may have replied before it read the hello.
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
            // The daemon examines the sender of the first message with the token again.
            if isLookedAt { try Self.confirm(welcome.token, messages, &buffer) }
        case .refusal(let error): throw .refused(error)
        default: throw .unreachable("its answer to the greeting is none")
        }
        self.stream = messages
        self.buffer = buffer
    }

    /// Sends a message about only this program, and waits for any reply.
    ///
    /// - Throws: `ConnectionError` if there is no reply, or a refusal.
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
            // The daemon may have to open and unlock the keychain first.
            let limit = Deadline.after(milliseconds: messageMilliseconds)
            answer = try receive(stream, &buffer, begin: limit)
        } catch { throw .unreachable(error.words) }
        if case .refusal(let error) = answer { throw .refused(error) }
    }

    /// Sends a message.
    ///
    /// - Throws: `notTaken` if the daemon did not receive all of it; `unsendable`.
    package func send(_ message: ClientMessage) throws(ConnectionError) {
        do throws(WireError) {
            try message.encode(token: welcome.token, into: &buffer)
        } catch { throw .unsendable(error) }
        defer { buffer.reset() }
        do throws(TransportError) {
            try stream.send(buffer, from: .client, patience: Self.messageMilliseconds)
        } catch { throw .notTaken(error.words) }
    }

    /// Waits for the next message, without a time limit.
    ///
    /// - Throws: `notTaken` if the last message was not read, `lost` if it may have been read.
    package func receive() throws(ConnectionError) -> DaemonMessage {
        defer { hasMore.store(!ahead.isEmpty, ordering: .releasing) }
        do throws(TransportError) {
            return try Self.receive(stream, &buffer, &ahead, begin: .never)
        } catch {
            switch error {
            // The kernel reports that the daemon's end was closed with unread bytes.
            case .reset: throw .notTaken(error.words)
            default: throw .lost(error.words)
            }
        }
    }

    /// Whether something has arrived, or the connection has ended.
    package var hasArrival: Bool {
        hasMore.load(ordering: .acquiring) || stream.stream.hasArrival()
    }

    /// Ends the connection, which wakes a thread that waits for a message.
    package func end() { stream.stream.end() }

    /// In a forked child: closes the child's copy of the socket, which stays open in the parent.
    ///
    /// Use it only for a connection that a thread of the parent used, and that is never released
    /// here.
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

/// The reason why a request to a daemon failed.
package enum ConnectionError: Error, Sendable {
    /// The daemon is unreachable, for this reason.
    case unreachable(String)
    /// The socket belongs to an account that is not accepted, with this number.
    case foreignServer(UInt32)
    /// The daemon refused.
    case refused(KeychainError)
    /// The daemon certainly did not perform the last request, for this reason.
    case notTaken(String)
    /// The daemon may or may not have performed the last request.
    case lost(String)
    /// The message cannot be sent, for this reason.
    case unsendable(WireError)
}
