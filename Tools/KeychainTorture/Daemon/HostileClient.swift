import Cryptography
import Foundation
import Glibc
import KeychainMessages
import KeychainModel
import KeychainSockets
import KeychainWire
import MessageTransport
import Secrets

/// A program that misuses the daemon's socket; each way has its own process.
///
/// It writes `ended WAY` once the daemon has reacted correctly, or else `FINDING …`.
enum HostileClient: String, CaseIterable {
    /// Sends nothing: the daemon waits a limited time for a greeting.
    case silence
    /// Sends a part of a frame's header, and then nothing.
    case halfHeader
    /// Sends a greeting, and a part of a call.
    case halfCall
    /// Sends a header that announces 4 GiB.
    case giant
    /// Sends random bytes instead of a greeting, many times.
    case garbage
    /// Sends a greeting, and random bytes with a valid header, many times.
    case garbageCall
    /// Sends a greeting, and a call with another token.
    case wrongToken
    /// Sends many calls, and reads no reply.
    case unread
    /// Sends many greetings over one connection.
    case greetings
    /// Sends calls, and closes their connections before the reply.
    case leaving

    /// The longest time until the daemon drops a client for which it waits.
    private static let secondsLimit: UInt32 = 40

    static func run(_ arguments: [String]) -> Int32 {
        guard arguments.count == 3, let way = HostileClient(rawValue: arguments[0]),
            let seed = UInt64(arguments[2])
        else { return 2 }
        signal(SIGPIPE, SIG_IGN)
        var random = SeededNumbers(seed: seed)
        do {
            let complaint = try way.attack(arguments[1], &random)
            let words =
                complaint.map { "FINDING \(way.rawValue): \($0)" } ?? "ended \(way.rawValue)"
            OutputLine.write(words, to: STDOUT_FILENO)
        } catch {
            // The daemon was killed, or this account has too many connections.
            OutputLine.write("ended \(way.rawValue): \(error)", to: STDOUT_FILENO)
        }
        return 0
    }

    /// - Returns: The wrong reaction of the daemon.
    private func attack(_ path: String, _ random: inout SeededNumbers) throws -> String? {
        switch self {
        case .silence: return try RawConnection(path).outlasts(Self.secondsLimit)
        case .halfHeader:
            let connection = try RawConnection(path)
            try connection.send([0, 0, 1])
            return connection.outlasts(Self.secondsLimit)
        case .halfCall:
            let connection = try RawConnection(path)
            _ = try connection.greet()
            try connection.send([0, 0, 1, 0, 0] + [UInt8](repeating: 2, count: 40))
            return connection.outlasts(Self.secondsLimit)
        case .giant:
            let connection = try RawConnection(path)
            _ = try connection.greet()
            try connection.send([0xFF, 0xFF, 0xFF, 0xFF, 0])
            return connection.outlasts(5)
        case .wrongToken:
            let connection = try RawConnection(path)
            _ = try connection.greet()
            let token = SessionToken(SharedSecret(Secret(copying: Self.bytes(16, &random))))
            try connection.send(.request(.device(.status)), token)
            return connection.outlasts(5)
        case .garbage: return try garbage(path, &random, greets: false)
        case .garbageCall: return try garbage(path, &random, greets: true)
        case .unread: return try leaveUnread(path)
        case .greetings:
            let connection = try RawConnection(path)
            for _ in 0..<200 { _ = try connection.greet() }
            return nil
        case .leaving:
            for _ in 0..<100 {
                let connection = try RawConnection(path)
                let token = try connection.greet()
                try connection.send(.request(.items(.list(["class": .string("genp")]))), token)
            }
            return nil
        }
    }

    private func garbage(
        _ path: String,
        _ random: inout SeededNumbers,
        greets: Bool
    ) throws -> String? {
        for _ in 0..<50 {
            let connection = try RawConnection(path)
            var bytes = Self.bytes(1 + random.next(below: 300), &random)
            if greets {
                let token = try connection.greet()
                let kind = UInt8(1 + random.next(below: 6))
                let head = [kind] + token.secret.secret.copyBytesUnprotected()
                bytes =
                    [0, 0] + [UInt8((17 + bytes.count) >> 8), UInt8((17 + bytes.count) & 255)]
                    + [0] + head + bytes
            }
            try connection.send(bytes)
        }
        return nil
    }

    /// Checks that the daemon drops a client that does not read replies.
    private func leaveUnread(_ path: String) throws -> String? {
        let connection = try RawConnection(path)
        let token = try connection.greet()
        let limit = ContinuousClock.now + .seconds(Double(Self.secondsLimit))
        do {
            while ContinuousClock.now < limit {
                try connection.send(
                    .request(.items(.copyMatching(["class": .string("genp")]))),
                    token
                )
            }
        } catch { return nil }
        return "the daemon let replies wait for \(Self.secondsLimit) s"
    }

    private static func bytes(_ count: Int, _ random: inout SeededNumbers) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }
}

/// A connection for arbitrary bytes.
final class RawConnection {
    private let stream: MessageStream

    init(_ path: String) throws {
        stream = MessageStream(
            try UnixStream(connectingTo: path, milliseconds: 5000),
            to: .daemon
        )
    }

    func send(_ bytes: [UInt8]) throws {
        _ = try bytes.withUnsafeBytes { bytes throws(SocketError) in try stream.stream.send(bytes) }
    }

    func send(_ message: ClientMessage, _ token: SessionToken?) throws {
        var buffer = WireBuffer()
        try message.encode(token: token, into: &buffer)
        try stream.send(buffer, from: .client, patience: 20_000)
    }

    /// Whether the daemon has ended the connection.
    var hasEnded: Bool {
        do throws(TransportError) { _ = try receive(1) } catch { return error != .timedOut }
        return false
    }

    /// Waits for a message.
    func receive(_ milliseconds: UInt32) throws(TransportError) -> DaemonMessage {
        var buffer = WireBuffer()
        var terms = MessageStream.Terms(
            frameByteCountLimit: WireSide.daemon.frameByteCountLimit,
            milliseconds: milliseconds
        )
        terms.begin = .after(milliseconds: milliseconds)
        _ = try stream.receive(into: &buffer, terms)
        return try buffer.withUnsafeBytes { bytes throws(TransportError) in
            try fromWire { () throws(WireError) in try DaemonMessage.decode(bytes) }
        }
    }

    /// Sends a greeting, and returns the token of the session.
    func greet() throws -> SessionToken {
        try send(.hello(ClientHello()), nil)
        switch try receive(20_000) {
        case .welcome(let welcome): return welcome.token
        case .refusal(let error): throw error
        default: throw KeychainError(.decode, "the answer to a greeting is none")
        }
    }

    /// - Returns: A complaint if the daemon does not end the connection within this time.
    func outlasts(_ seconds: UInt32) -> String? {
        let limit = ContinuousClock.now + .seconds(Double(seconds))
        while ContinuousClock.now < limit {
            do throws(TransportError) { _ = try receive(seconds * 1000) } catch {
                return error == .timedOut ? "the connection is still there after \(seconds) s" : nil
            }
        }
        return "the connection is still there after \(seconds) s"
    }
}

/// Many connections at once, each of which the daemon has to answer.
///
/// It sends a welcome or a refusal. It refuses connections beyond the account's share, or ends
/// older ones.
enum ConnectionStorm {
    /// - Returns: The exit status.
    static func run(_ arguments: [String]) -> Int32 {
        guard arguments.count == 2, let count = Int(arguments[1]) else { return 2 }
        signal(SIGPIPE, SIG_IGN)
        var kept: [RawConnection] = []
        var refused = 0
        var unanswered = 0
        for _ in 0..<count {
            do {
                let connection = try RawConnection(arguments[0])
                _ = try connection.greet()
                kept.append(connection)
            } catch is KeychainError { refused += 1 } catch TransportError.timedOut {
                unanswered += 1
            } catch { refused += 1 }
        }
        // All connections exist at once for a while.
        usleep(500_000)
        let ended = kept.count { $0.hasEnded }
        OutputLine.write("storm \(kept.count) \(refused) \(unanswered) \(ended)", to: STDOUT_FILENO)
        return 0
    }
}
