import KeychainSockets
import KeychainSync
import SyncRelay
import Synchronization

// Invariants  (1) Only the thread with the turn sends requests and receives replies.
//             (2) A process that ended, was late or replied wrongly gets no further requests.
//             (3) A wait is stopped at most once, and only after its request was sent.

/// A relay in another process, so that this one loads no client library of a server.
///
/// ```swift
/// let program = RelayProgram(path: "/usr/bin/keychain-relay")
/// let relay = RemoteRelay(RelayPlace(.postgreSQL, account, [connection]), program)
/// ```
/// The relay starts the process when it needs one, and again after the process has ended.
///
/// - Source: Documentation/Spec/relays.md §6.
package final class RemoteRelay: Relay {
    private struct State: Sendable {
        /// The process that serves; nil before the first request, and after a failure.
        var peer: RelayPeer?
        /// The listings from any process, and those from the current one.
        var listed: Set<RelayListing> = []
        var listedHere: Set<RelayListing> = []
        /// The process in which a wait is in progress.
        var waiting: RelayPeer?
        /// Whether that wait was told to stop.
        var isStopped = false
        /// Whether the current or next wait has to end.
        var isInterrupted = false

        mutating func note(_ listing: RelayListing) {
            listed.insert(listing)
            listedHere.insert(listing)
        }
    }

    private let place: RelayPlace
    private let launcher: any RelayLauncher
    private let patience: Duration
    private let turns = RelayTurns()
    private let state = Mutex(State())

    /// Makes a relay.
    ///
    /// - Parameters:
    ///   - place: The server and the account.
    ///   - launcher: Starts the process.
    ///   - patience: The time limit for a reply.
    package init(
        _ place: RelayPlace,
        _ launcher: any RelayLauncher,
        patience: Duration = .seconds(300)
    ) {
        self.place = place
        self.launcher = launcher
        self.patience = patience
    }

    package var entryByteCountLimit: Int { place.server.entryByteCountLimit }
    package let batchLimit = BatchLimit(
        entryCount: RelayMessageLimit.entryCount,
        byteCount: RelayMessageLimit.batchByteCount
    )

    package func prepare() throws(RelayError) { try done(.prepare) }

    package func streams() throws(RelayError) -> [StreamName: Range<UInt64>] {
        try call(.streams) { state, reply in
            guard case .streams(let ranges) = reply else { return nil }
            state.note(.streams)
            return ranges
        }
    }

    package func entries(
        of stream: StreamName,
        from first: UInt64,
        byteCountLimit: Int
    ) throws(RelayError) -> [[UInt8]] {
        let limit = UInt32(max(0, min(byteCountLimit, RelayMessageLimit.batchByteCount)))
        return try call(.entries(of: stream, from: first, byteCountLimit: limit)) { _, reply in
            guard case .entries(let entries) = reply else { return nil }
            return entries
        }
    }

    package func appendBatch(
        _ entries: [[UInt8]],
        to stream: StreamName,
        at first: UInt64
    ) throws(RelayError) {
        try done(.append(entries, to: stream, at: first))
    }

    package func trim(_ stream: StreamName, below number: UInt64) throws(RelayError) {
        try done(.trim(stream, below: number))
    }

    package func remove(_ stream: StreamName) throws(RelayError) { try done(.remove(stream)) }

    package func links() throws(RelayError) -> [LinkPlace] {
        try call(.links) { state, reply in
            guard case .links(let places) = reply else { return nil }
            state.note(.links)
            return places
        }
    }

    package func stored(
        _ part: LinkPart,
        at places: [LinkPlace]
    ) throws(RelayError) -> [[UInt8]] {
        try call(.stored(part, places)) { _, reply in
            guard case .entries(let stored) = reply, stored.count == places.count else {
                return nil
            }
            return stored
        }
    }

    package func store(
        _ part: LinkPart,
        _ bytes: [UInt8],
        at place: LinkPlace
    ) throws(RelayError) {
        try done(.store(part, bytes, place))
    }

    package func interrupt() {
        state.withLock { state in
            state.isInterrupted = true
            Self.stop(&state)
        }
    }
}

// MARK: - Requests
extension RemoteRelay {
    private func done(_ request: RelayRequest) throws(RelayError) {
        try call(request) { _, reply in reply == .done ? () : nil }
    }

    /// Sends a request to the process, and evaluates the reply.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - result: Extracts the result of a reply; nil if the reply does not fit the request.
    /// - Returns: The result of the reply.
    /// - Throws: The relay's error, or an error of the process.
    private func call<R: Sendable>(
        _ request: RelayRequest,
        _ result: (inout State, RelayReply) -> R?
    ) throws(RelayError) -> R {
        turns.take { state.withLock { Self.stop(&$0) } }
        defer { turns.give() }
        let peer = try peer()
        let reply = try ask(peer, request, until: .after(patience))
        if let found = state.withLock({ result(&$0, reply) }) { return found }
        throw drop(peer, .damaged("keychain-relay answers something else"))
    }

    /// Returns the process that serves; starts one if there is none.
    private func peer() throws(RelayError) -> RelayPeer {
        if let peer = state.withLock({ $0.peer }) { return peer }
        let peer = try launcher.launch()
        state.withLock { $0.peer = peer }
        do throws(RelayError) {
            guard try ask(peer, .open(place), until: .after(patience)) == .done else {
                throw .damaged("keychain-relay answers something else")
            }
        } catch { throw drop(peer, error) }
        return peer
    }

    /// Sends a request, and returns its reply.
    ///
    /// - Throws: The relay's error, or an error of the process.
    private func ask(
        _ peer: RelayPeer,
        _ request: RelayRequest,
        until deadline: Deadline,
        _ hasSent: () -> Void = {}
    ) throws(RelayError) -> RelayReply {
        let reply: RelayReply
        do throws(RelayChannel.Failure) {
            let bytes: [UInt8]
            do throws(SyncError) { bytes = try request.bytes() } catch {
                throw .malformed
            }
            try peer.channel.send(bytes, until: deadline)
            hasSent()
            let answer = try peer.channel.receive(until: deadline)
            do throws(SyncError) { reply = try RelayReply(answer) } catch { throw .malformed }
        } catch { throw drop(peer, error.relayError) }
        if case .failure(let error) = reply { throw error }
        return reply
    }

    /// Stops using a process.
    private func drop(_ peer: RelayPeer, _ error: RelayError) -> RelayError {
        state.withLock { state in
            guard state.peer === peer else { return }
            state.peer = nil
            state.listedHere = []
        }
        peer.end()
        return error
    }
}

// MARK: - Waiting
extension RemoteRelay {
    package func waitForChange(upTo limit: Duration) throws(RelayError) -> Bool {
        let deadline = Deadline.after(limit)
        while true {
            turns.take {}
            defer { turns.give() }
            if let hasChanged = try wait(until: deadline) { return hasChanged }
        }
    }

    /// Waits until there is a change, or another thread wants the turn.
    ///
    /// - Returns: Whether there may be a change; nil if the wait has to continue.
    private func wait(until deadline: Deadline) throws(RelayError) -> Bool? {
        if takeInterrupt() { return false }
        // Changes before the start of this process are unknown.
        let isKnown = state.withLock { !$0.listed.isEmpty && $0.listed == $0.listedHere }
        guard isKnown else { return true }
        let peer = try peer()
        let milliseconds = UInt32(max(0, deadline.pollMilliseconds))
        let late = Deadline.after(.milliseconds(Int64(milliseconds)) + patience)
        defer { state.withLock { $0.waiting = nil } }
        let reply = try ask(peer, .wait(milliseconds: milliseconds), until: late) {
            begin(waitingIn: peer)
        }
        guard case .changed(let hasChanged) = reply else {
            throw drop(peer, .damaged("keychain-relay answers something else"))
        }
        if hasChanged { return true }
        return takeInterrupt() || deadline.isOver ? false : nil
    }

    private func begin(waitingIn peer: RelayPeer) {
        state.withLock { state in
            state.waiting = peer
            state.isStopped = false
            // A thread that requests the turn after this check sees the wait, and stops it.
            if turns.isWanted || state.isInterrupted { Self.stop(&state) }
        }
    }

    private func takeInterrupt() -> Bool {
        state.withLock { state in
            defer { state.isInterrupted = false }
            return state.isInterrupted
        }
    }

    /// Stops the current wait, if there is one.
    private static func stop(_ state: inout State) {
        guard let peer = state.waiting, !state.isStopped else { return }
        state.isStopped = true
        guard let bytes = try? RelayRequest.stop.bytes() else { return }
        peer.channel.sendNow(bytes)
    }
}

extension RelayChannel.Failure {
    fileprivate var relayError: RelayError {
        switch self {
        case .ended: .unreachable("keychain-relay ended")
        case .late: .unreachable("keychain-relay does not answer")
        case .malformed: .damaged("keychain-relay writes what no version of it writes")
        }
    }
}
