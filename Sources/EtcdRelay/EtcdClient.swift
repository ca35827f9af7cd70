import Cryptography
import JSON
import KeychainSockets
import SyncRelay
import Synchronization

/// A client of etcd's JSON gateway.
///
/// - Source: etcd's documentation, "Interacting with etcd over HTTP"; Documentation/Spec/relays.md
///   §4.
final class EtcdClient: Sendable {
    private struct State: Sendable {
        /// Transfers that are not in use.
        var idle: [HTTPTransfer] = []
        /// The index of the address that answered last.
        var endpoint = 0
        var token: String?
    }

    private let place: EtcdPlace
    private let state = Mutex(State())

    init(_ place: EtcdPlace) { self.place = place }

    /// Sends a request to a path such as `kv/range`.
    ///
    /// - Returns: The response of etcd.
    /// - Throws: `unreachable` after all addresses have failed.
    func send(_ body: String, to path: String) throws(RelayError) -> EtcdAnswer {
        do throws(RelayError) {
            return try send(body, to: path, token: try token())
        } catch {
            // A token is valid for only five minutes.
            guard state.withLock({ $0.token }) != nil, case .refused = error else { throw error }
            state.withLock { $0.token = nil }
            return try send(body, to: path, token: try token())
        }
    }

    private func send(
        _ body: String,
        to path: String,
        token: String?
    ) throws(RelayError) -> EtcdAnswer {
        let transfer = try taken()
        let answer = try eachEndpoint { endpoint throws(RelayError) in
            try transfer.send(body, to: "\(endpoint)/v3/\(path)", token: token)
        }
        keep(transfer)
        return try EtcdAnswer(answer.body, status: answer.status)
    }

    /// Waits for the events of a watch, until one of them is wanted.
    func watch(
        _ body: String,
        _ interruption: RelayWait,
        until deadline: Deadline,
        isLast: (EtcdAnswer) throws(RelayError) -> Bool
    ) throws(RelayError) -> RelayWait.End {
        let token = try token()
        // The transfer is not reused: an unfinished response takes its connection with it.
        let transfer = try taken()
        return try eachEndpoint { endpoint throws(RelayError) in
            try transfer.watch(
                body,
                "\(endpoint)/v3/watch",
                token: token,
                interruption,
                until: deadline
            ) { line, status throws(RelayError) in
                guard !line.isEmpty else { throw .unreachable("etcd ended the watch") }
                return try isLast(EtcdAnswer(line, status: status))
            }
        }
    }

    private func token() throws(RelayError) -> String? {
        if let token = state.withLock({ $0.token }) { return token }
        try place.check()
        guard let (user, password) = try place.credentials() else { return nil }
        let body = #"{"name":\#(Self.quoted(user)),"password":\#(Self.quoted(password))}"#
        let answer = try send(body, to: "auth/authenticate", token: nil)
        guard let token = answer.text("token"),
            token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { throw .damaged("etcd answered without a token") }
        state.withLock { $0.token = token }
        return token
    }

    private static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        Array(text.utf8).withUnsafeBytes { JSONString.write($0) { bytes.append($0) } }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func eachEndpoint<R>(
        _ body: (String) throws(RelayError) -> R
    ) throws(RelayError) -> R {
        let first = state.withLock { $0.endpoint }
        var last = RelayError.unreachable("no address of etcd is given")
        for offset in place.endpoints.indices {
            let number = (first + offset) % place.endpoints.count
            do throws(RelayError) {
                let result = try body(place.endpoints[number].withoutSlash)
                state.withLock { $0.endpoint = number }
                return result
            } catch {
                guard case .unreachable = error else { throw error }
                last = error
            }
        }
        throw last
    }

    private func taken() throws(RelayError) -> HTTPTransfer {
        if let idle = state.withLock({ $0.idle.popLast() }) { return idle }
        return try HTTPTransfer(place)
    }

    private func keep(_ transfer: HTTPTransfer) { state.withLock { $0.idle.append(transfer) } }
}

extension String {
    fileprivate var withoutSlash: String { hasSuffix("/") ? String(dropLast()) : self }
}
