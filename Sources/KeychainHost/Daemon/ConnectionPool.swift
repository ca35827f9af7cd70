import Dispatch
import Glibc
import KeychainModel
import KeychainWire
import MessageTransport
import Secrets

// Definitions  "lent": a connection that one thread uses. "idle": one that nobody uses.
// Invariants   (1) Every connection is idle, lent, or closed.
//              (2) At most `connectionLimit` are lent at a time, those for urgent messages apart.
//              (3) A pool belongs to the process that made it; a forked child has another one, and
//                  has closed its copies of the parent's descriptors.

/// The connections of one process to a daemon.
final class ConnectionPool: Sendable {
    private struct State {
        var idle: [ClientConnection] = []
        var lent: [ObjectIdentifier: ClientConnection] = [:]
        var welcome: DaemonWelcome?
    }

    /// How many calls are under way at most; others wait for their turn.
    private static let connectionLimit = 24
    /// How many idle connections are kept.
    private static let idleLimit = 8

    let processID: pid_t
    private let state = AdaptiveMutex(State())
    private let turns = DispatchSemaphore(value: connectionLimit)

    init(of processID: pid_t) { self.processID = processID }

    /// What the daemon said last of itself.
    var welcome: DaemonWelcome? { state.withLock { $0.welcome } }

    /// Works with a connection that nobody else uses meanwhile.
    ///
    /// - Parameters:
    ///   - isUrgent: Whether it waits for no turn.
    ///   - body: The work.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    func takingTurns<R, E>(isUrgent: Bool, _ body: () throws(E) -> R) throws(E) -> R {
        if !isUrgent { turns.wait() }
        defer { if !isUrgent { turns.signal() } }
        return try body()
    }

    /// An idle connection.
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

    /// Takes a connection back; one that is not whole any more is closed.
    func giveBack(_ connection: ClientConnection, isWhole: Bool) {
        state.withLock { state in
            state.lent[ObjectIdentifier(connection)] = nil
            if isWhole, state.idle.count < Self.idleLimit { state.idle.append(connection) }
        }
    }

    /// Closes the idle connections: the daemon that they led to is gone.
    func dropIdle() {
        let dropped = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        withExtendedLifetime(dropped) {}
    }

    /// Closes, in a forked child, the copies of the parent's descriptors.
    ///
    /// The connections stay the parent's.
    func abandon() {
        // The parent's other threads do not exist here, so nobody uses a connection that was lent,
        // and nobody will let go of it.
        let lent = state.withLock { state in
            defer { state.lent = [:] }
            return Array(state.lent.values)
        }
        dropIdle()
        for connection in lent { connection.closeCopy() }
    }
}
