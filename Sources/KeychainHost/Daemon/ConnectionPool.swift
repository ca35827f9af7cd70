import Dispatch
import Glibc
import KeychainModel
import KeychainWire
import MessageTransport
import Secrets

// Definitions  "lent": a connection that one thread uses. "idle": one that no thread uses.
// Invariants   (1) Every connection is idle, lent, or closed.
//              (2) At most `connectionLimit` are lent at a time, not counting urgent messages.
//              (3) A pool belongs to the process that created it. A forked child has another one,
//                  and has closed its copies of the parent's descriptors.

/// The connections of one process to a daemon.
final class ConnectionPool: Sendable {
    private struct State {
        var idle: [ClientConnection] = []
        var lent: [ObjectIdentifier: ClientConnection] = [:]
        var welcome: DaemonWelcome?
    }

    /// The most calls in progress; others wait for their turn.
    private static let connectionLimit = 24
    /// The most idle connections that are kept.
    private static let idleLimit = 8

    let processID: pid_t
    private let state = AdaptiveMutex(State())
    private let turns = DispatchSemaphore(value: connectionLimit)

    init(of processID: pid_t) { self.processID = processID }

    /// The daemon's last welcome.
    var welcome: DaemonWelcome? { state.withLock { $0.welcome } }

    /// Runs `body` when it is the call's turn.
    ///
    /// - Parameters:
    ///   - isUrgent: Whether to run without waiting for a turn.
    ///   - body: The work.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`.
    func takingTurns<R, E>(isUrgent: Bool, _ body: () throws(E) -> R) throws(E) -> R {
        if !isUrgent { turns.wait() }
        defer { if !isUrgent { turns.signal() } }
        return try body()
    }

    /// Takes an idle connection, if there is one.
    func takeIdle() -> ClientConnection? {
        state.withLock { state in
            guard let connection = state.idle.popLast() else { return nil }
            state.lent[ObjectIdentifier(connection)] = connection
            return connection
        }
    }

    /// Counts a new connection as lent.
    func lend(_ connection: ClientConnection) {
        state.withLock { state in
            state.welcome = connection.welcome
            state.lent[ObjectIdentifier(connection)] = connection
        }
    }

    /// Takes a connection back, and closes it if it is broken or not needed.
    func giveBack(_ connection: ClientConnection, isWhole: Bool) {
        state.withLock { state in
            state.lent[ObjectIdentifier(connection)] = nil
            if isWhole, state.idle.count < Self.idleLimit { state.idle.append(connection) }
        }
    }

    /// Closes the idle connections, because their daemon is gone.
    func dropIdle() {
        let dropped = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        withExtendedLifetime(dropped) {}
    }

    /// Closes a forked child's copies of the parent's descriptors.
    ///
    /// The connections remain the parent's.
    func abandon() {
        // The parent's other threads do not exist here, so nothing uses a lent connection, and
        // nothing will return it.
        let lent = state.withLock { state in
            defer { state.lent = [:] }
            return Array(state.lent.values)
        }
        dropIdle()
        for connection in lent { connection.closeCopy() }
    }
}
