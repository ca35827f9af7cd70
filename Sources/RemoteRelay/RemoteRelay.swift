import KeychainSockets
import KeychainSync
import SyncRelay
import Synchronization

// Invariants  (1) Who has the turn alone sends requests and receives replies.
//             (2) A process that ended, was late or answered wrongly is not asked again.
//             (3) A stop is sent at most once for a wait, and after its request.

/// A relay that another process serves, so that this one loads no library of a server.
///
/// ```swift
/// let program = RelayProgram(path: "/usr/bin/keychain-relay")
/// let relay = RemoteRelay(RelayPlace(.postgreSQL, account, [connection]), program)
/// ```
/// The process is started when it is needed, and started again after it ended.
///
/// - Source: Documentation/Spec/relays.md §6.
package final class RemoteRelay: Relay {
    private struct State: Sendable {
        /// The process that serves; nil before the first request, and after it failed.
        var peer: RelayPeer?
        /// What was listed by any process, and by this one.
        var listed: Set<RelayListing> = []
        var listedHere: Set<RelayListing> = []
        /// The process in which a wait goes on.
        var waiting: RelayPeer?
        /// Whether it was told to stop.
        var isStopped = false
        /// Whether the wait, or the next one, is to end.
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

    /// - Parameters:
    ///   - place: The server, and whose streams they are.
    ///   - launcher: What starts the process.
    ///   - patience: How long the process may take for an answer.
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

    /// Asks the process for something.
    ///
    /// - Parameters:
    ///   - request: What it is asked for.
    ///   - result: What a reply says; nil for one that does not fit the request.
    /// - Returns: What the reply says.
    /// - Throws: What the relay says is wrong, and what is wrong with the process.
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

    /// The process that serves; a new one if there is none.
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

    /// Sends a request and takes its reply.
    ///
    /// - Throws: What the relay says is wrong, and what is wrong with the process.
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

    /// Asks a process no more.
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

    /// Waits until there is a change, or somebody else wants the turn.
    ///
    /// - Returns: Whether there may be a change; nil if the wait is to go on.
    private func wait(until deadline: Deadline) throws(RelayError) -> Bool? {
        if takeInterrupt() { return false }
        // Nobody knows what happened before this process.
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
            // Who asks for the turn after this look sees the wait, and stops it.
            if turns.isWanted || state.isInterrupted { Self.stop(&state) }
        }
    }

    private func takeInterrupt() -> Bool {
        state.withLock { state in
            defer { state.isInterrupted = false }
            return state.isInterrupted
        }
    }

    /// Ends the wait that goes on, if there is one.
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
