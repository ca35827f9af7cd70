import KeychainSockets
import Secrets

// Laws  (1) A connection is either here or on a thread of its own.
//       (2) A message for a connection brings it back, and so does its end or that of its process.
//       (3) A descriptor is watched exactly while a connection that needs it is here.

/// Connections that wait for their next message, all on one thread.
///
/// Each takes a few kilobytes instead of a thread with its stack.
final class IdleConnections: Sendable {
    /// The subject of an event.
    private enum Subject {
        case connection(ServedConnection)
        case process(of: ServedSession)
    }

    private struct State {
        var subjects: [UInt64: Subject] = [:]
        /// The key of each connection's event.
        var keys: [ObjectIdentifier: UInt64] = [:]
        /// For each session, the key of its process's end, and its connections here.
        var sessions: [ObjectIdentifier: (key: UInt64, connections: [ServedConnection])] = [:]
        var keyCount = IdleConnections.endKey
        var hasThread = false

        mutating func newKey() -> UInt64 {
            keyCount += 1
            return keyCount
        }
    }

    private static let endKey: UInt64 = 0

    private let watch: DescriptorWatch
    private let endSignal: WakeSignal
    private let state = AdaptiveMutex(State())
    private let resume: @Sendable (ServedConnection) -> Void

    /// - Parameter resume: Continues a connection on another thread.
    /// - Throws: `SocketError`.
    init(resume: @escaping @Sendable (ServedConnection) -> Void) throws(SocketError) {
        watch = try DescriptorWatch()
        endSignal = try WakeSignal()
        self.resume = resume
        try watch.add(endSignal.descriptor.number, key: Self.endKey)
    }

    /// Waits for a connection's next message from now on.
    ///
    /// - Returns: False if the system refuses; the caller then waits itself.
    func add(_ connection: ServedConnection) -> Bool {
        state.withLock { state in
            guard let session = connection.session else { return false }
            if !state.hasThread {
                guard DetachedThread.start({ [self] in run() }) else { return false }
                state.hasThread = true
            }
            do throws(SocketError) {
                try add(connection, of: session, to: &state)
                return true
            } catch {
                remove(connection, from: &state)
                return false
            }
        }
    }

    /// The number of connections here.
    var count: Int { state.withLock { $0.keys.count } }

    /// Ends the thread; there must be no connections left.
    func end() { endSignal.give() }

    private func add(
        _ connection: ServedConnection,
        of session: ServedSession,
        to state: inout State
    ) throws(SocketError) {
        let name = ObjectIdentifier(session)
        if state.sessions[name] == nil {
            let key = state.newKey()
            try watch.add(session.process.number, key: key)
            state.subjects[key] = .process(of: session)
            state.sessions[name] = (key, [])
        }
        state.sessions[name]?.connections.append(connection)
        let key = state.newKey()
        state.keys[ObjectIdentifier(connection)] = key
        state.subjects[key] = .connection(connection)
        try watch.add(connection.stream.stream.descriptor.number, key: key)
    }

    private func remove(_ connection: ServedConnection, from state: inout State) {
        if let key = state.keys.removeValue(forKey: ObjectIdentifier(connection)) {
            state.subjects[key] = nil
            watch.remove(connection.stream.stream.descriptor.number)
        }
        guard let session = connection.session else { return }
        let name = ObjectIdentifier(session)
        state.sessions[name]?.connections.removeAll { $0 === connection }
        guard let known = state.sessions[name], known.connections.isEmpty else { return }
        state.sessions[name] = nil
        state.subjects[known.key] = nil
        watch.remove(session.process.number)
    }

    /// Removes the connections that an event concerns, unless they have already been removed.
    private func take(_ key: UInt64) -> [ServedConnection] {
        state.withLock { state in
            let taken: [ServedConnection] =
                switch state.subjects[key] {
                case .connection(let connection)?: [connection]
                case .process(let session)?:
                    state.sessions[ObjectIdentifier(session)]?.connections ?? []
                case nil: []
                }
            for connection in taken { remove(connection, from: &state) }
            return taken
        }
    }

    private func run() {
        while true {
            for key in watch.wait() {
                if key == Self.endKey { return }
                for connection in take(key) { resume(connection) }
            }
        }
    }
}

/// A slot for `IdleConnections`, for code that they call back.
final class IdleSlot: Sendable {
    private let connections = AdaptiveMutex<IdleConnections?>(nil)

    func set(_ made: IdleConnections) { connections.withLock { $0 = made } }

    private var made: IdleConnections? { connections.withLock { $0 } }

    /// Works like `IdleConnections.add(_:)`.
    func add(_ connection: ServedConnection) -> Bool { made?.add(connection) ?? false }

    var count: Int { made?.count ?? 0 }

    func end() { made?.end() }
}
