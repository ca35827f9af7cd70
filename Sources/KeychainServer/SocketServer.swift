import Glibc
import KeychainModel
import KeychainSockets
import KeychainWire
import MessageTransport
import ProcessWitness
import Synchronization

// Laws  (1) The accepting thread never waits for a client, an engine or a disk.
//       (2) A connection is counted from its acceptance until its thread has released it.
//       (3) After `stop` no connection is accepted; calls in progress get their replies.

/// A server that accepts connections and serves each on a thread.
///
/// ```swift
/// let server = try SocketServer(service: service, evidence: source, limits: ServerLimits())
/// try server.accept(from: UnixListener(at: path, mode: 0o600))
/// …
/// server.stop()
/// ```
package final class SocketServer: Sendable {
    private struct State {
        var connections: [ObjectIdentifier: ServedConnection] = [:]
        var acceptingCount = 0
        var isStopping = false
    }

    private let parts: ServerParts
    private let state = Mutex(State())
    /// Connections without a thread.
    private let idle = IdleSlot()
    private let stopSignal: WakeSignal
    /// Signaled when the last connection has ended after the stop.
    private let emptySignal: WakeSignal

    /// Creates a server that accepts nothing yet.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - evidence: Examines the programs that connect.
    ///   - limits: The limits.
    ///   - person: Returns the person that an account is charged to, by default the account itself.
    ///     It must not block.
    /// - Throws: `SocketError`.
    package init(
        service: any SessionService,
        evidence: any EvidenceSource,
        limits: ServerLimits = ServerLimits(),
        person: @escaping @Sendable (UInt32) -> UInt32 = { $0 }
    ) throws(SocketError) {
        parts = ServerParts(
            service: service,
            evidence: evidence,
            limits: limits,
            census: ConnectionCensus(limits),
            person: person
        )
        stopSignal = try WakeSignal()
        emptySignal = try WakeSignal()
        idle.set(try IdleConnections { [weak self] connection in self?.startThread(connection) })
    }

    /// Accepts connections from now on, on a thread.
    ///
    /// - Throws: `SocketError` if no thread can be started.
    package func accept(from listener: consuming UnixListener) throws(SocketError) {
        let accepting = AcceptingListener(listener)
        state.withLock { $0.acceptingCount += 1 }
        let isStarted = DetachedThread.start { [self] in
            acceptAll(accepting)
            state.withLock { $0.acceptingCount -= 1 }
            noteEmptiness()
        }
        guard isStarted else {
            state.withLock { $0.acceptingCount -= 1 }
            throw SocketError(operation: "pthread_create", code: EAGAIN)
        }
    }

    /// The number of connections.
    package var connectionCount: Int { parts.census.connectionCount }

    /// The number of connections that wait for a message without a thread of their own.
    package var idleCount: Int { idle.count }

    /// The number of connected programs.
    package var sessionCount: Int { parts.sessions.count }

    /// Serves a connection that was accepted elsewhere.
    package func serve(_ stream: consuming UnixStream) {
        guard let userID = try? stream.peer().userID, (try? stream.tellSenders()) != nil else {
            return stream.letGo()
        }
        let connection = ServedConnection(stream, of: userID, parts)
        let person = connection.person
        var refusal = parts.census.enter(person)
        if let found = refusal, makeRoom(for: person, found) {
            refusal = parts.census.enter(person)
        }
        if let refusal { return refuse(connection, refusal.error(parts.limits), userID) }
        let key = ObjectIdentifier(connection)
        let isServed = state.withLock { state in
            guard !state.isStopping else { return false }
            state.connections[key] = connection
            return true
        }
        if !isServed { return parts.census.leave(person) }
        startThread(connection)
    }

    /// Starts a thread that continues a connection, until nothing arrives for a while.
    private func startThread(_ connection: ServedConnection) {
        let isStarted = DetachedThread.start { [self] in
            while !connection.run() { if idle.add(connection) { return } }
            end(connection)
        }
        guard !isStarted else { return }
        connection.finish()
        end(connection)
    }

    private func end(_ connection: ServedConnection) {
        // Count first: a program that sees the end of a connection can then open another one.
        leave(ObjectIdentifier(connection), connection.person)
        connection.end()
    }

    /// Removes a connection from the count, unless `makeRoom` has already removed it.
    private func leave(_ key: ObjectIdentifier, _ person: UInt32) {
        let wasCounted = state.withLock { state in
            guard state.connections[key] != nil else { return false }
            // Keep this order: when no connection is left, none is counted either.
            parts.census.leave(person)
            state.connections[key] = nil
            return true
        }
        if wasCounted { noteEmptiness() }
    }

    /// Makes room for another connection, at the cost of this person or of the one with the most.
    ///
    /// So idle connections keep out no program, and no lock.
    private func makeRoom(for person: UInt32, _ refusal: ConnectionCensus.Refusal) -> Bool {
        switch refusal {
        case .server: makeRoom(for: person)
        case .person: endIdle(of: person)
        }
    }

    /// Ends the connection of a person that was idle for the longest time, if one is idle.
    private func endIdle(of person: UInt32) -> Bool {
        let ended = state.withLock { state -> ServedConnection? in
            guard let ended = Self.longestIdle(in: state.connections.values, of: person) else {
                return nil
            }
            parts.census.leave(person)
            state.connections[ObjectIdentifier(ended)] = nil
            return ended
        }
        ended?.end()
        return ended != nil
    }

    private static func longestIdle(
        in connections: some Sequence<ServedConnection>,
        of person: UInt32
    ) -> ServedConnection? {
        let idle = connections.filter {
            $0.person == person && $0.idleSince.load(ordering: .relaxed) > 0
        }
        return idle.min { left, right in
            left.idleSince.load(ordering: .relaxed) < right.idleSince.load(ordering: .relaxed)
        }
    }

    /// Ends a connection of the person with the most.
    ///
    /// It prefers the one that was idle for the longest time. If `person` has fewer connections
    /// than the guaranteed number, it may end a busy one.
    ///
    /// - Parameter person: The person who wants to connect; nil if descriptors are short.
    /// - Returns: Whether another connection can be counted now.
    private func makeRoom(for person: UInt32?) -> Bool {
        guard let (greediest, count) = parts.census.greediest(against: person) else { return false }
        let floor = parts.limits.connectionFloor
        let isDue = person.map { parts.census.count(of: $0) < floor } ?? false
        let ended = state.withLock { state -> ServedConnection? in
            let all = state.connections.values
            let oldest = Self.longestIdle(in: all, of: greediest)
            let any = isDue && count > floor ? all.first { $0.person == greediest } : nil
            guard let ended = oldest ?? any else { return nil }
            parts.census.leave(greediest)
            state.connections[ObjectIdentifier(ended)] = nil
            return ended
        }
        ended?.end()
        return ended != nil
    }

    private func noteEmptiness() {
        let isEmpty = state.withLock { state in
            state.isStopping && state.connections.isEmpty && state.acceptingCount == 0
        }
        if isEmpty { emptySignal.give() }
    }
}

/// A watch that detects periods without anything sent, once each time.
private struct RestWatch {
    /// The number of messages at the last look, and at the last rest.
    private var seen = 0
    private var rested = 0

    /// Whether something was sent since the last rest.
    func isDue(_ messages: MessageCount) -> Bool { messages.value != rested }

    /// Whether nothing was sent since the last look, but something before.
    mutating func begins(_ messages: MessageCount) -> Bool {
        let now = messages.value
        defer { seen = now }
        guard now == seen, now != rested else { return false }
        rested = now
        return true
    }
}

/// A listener that a thread owns.
private final class AcceptingListener: Sendable {
    let listener: UnixListener

    init(_ listener: consuming UnixListener) { self.listener = listener }
}

// Accepting.
extension SocketServer {
    /// The pause in accepting when the process has no free descriptors, in milliseconds.
    private static let pauseMilliseconds: UInt32 = 100

    private func acceptAll(_ accepting: AcceptingListener) {
        var rest = RestWatch()
        while waitForConnection(accepting.listener, &rest) {
            do throws(SocketError) {
                if let stream = try accepting.listener.accept() { serve(stream) }
            } catch {
                // Others have to close descriptors first; a stop still ends the pause.
                _ = makeRoom(for: nil)
                _ = isStopped(until: .after(milliseconds: Self.pauseMilliseconds))
            }
        }
    }

    /// Waits for a connection; returns false once the server stops.
    ///
    /// Meanwhile the service rests whenever nothing was sent for a while.
    private func waitForConnection(
        _ listener: borrowing UnixListener,
        _ rest: inout RestWatch
    ) -> Bool {
        var requests = [
            pollfd(fd: stopSignal.descriptor.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: listener.descriptor.number, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let isWatching = connectionCount > 0 || rest.isDue(parts.messages)
            let count = poll(&requests, 2, isWatching ? parts.limits.restMilliseconds : -1)
            if count > 0 { return requests[0].revents == 0 }
            if count < 0, errno != EINTR { return false }
            if count == 0, rest.begins(parts.messages) { parts.service.rest() }
        }
    }

    private func isStopped(until deadline: Deadline) -> Bool {
        Self.wait(for: stopSignal, until: deadline)
    }

    private static func wait(for signal: borrowing WakeSignal, until deadline: Deadline) -> Bool {
        var request = pollfd(fd: signal.descriptor.number, events: Int16(POLLIN), revents: 0)
        while true {
            let count = poll(&request, 1, deadline.pollMilliseconds)
            if count > 0 { return true }
            if count == 0, deadline.pollMilliseconds == 0 { return false }
            if count < 0, errno != EINTR { return false }
        }
    }

    /// Sends the reason without waiting, and closes the connection.
    private func refuse(
        _ connection: ServedConnection,
        _ error: KeychainError,
        _ userID: UInt32
    ) {
        var buffer = WireBuffer()
        if (try? DaemonMessage.refusal(error).encode(into: &buffer)) != nil {
            // The server does not wait for a program that does not even read this.
            try? connection.stream.send(buffer, from: .daemon, patience: 0)
        }
        parts.service.noteRefusal(error, of: "a program of account \(userID)", account: userID)
    }
}

// Stopping.
extension SocketServer {
    /// Stops accepting, lets calls in progress finish, and ends every connection.
    ///
    /// It returns when all have ended; calls that exceed the time limit are cut off.
    package func stop() {
        let connections = state.withLock { state in
            state.isStopping = true
            return Array(state.connections.values)
        }
        stopSignal.give()
        for connection in connections { connection.endReceiving() }
        noteEmptiness()
        let limit = parts.limits.stopMilliseconds
        defer { idle.end() }
        if Self.wait(for: emptySignal, until: .after(milliseconds: limit)) { return }
        for connection in state.withLock({ Array($0.connections.values) }) { connection.end() }
        _ = Self.wait(for: emptySignal, until: .after(milliseconds: limit))
    }
}

extension ConnectionCensus.Refusal {
    fileprivate func error(_ limits: ServerLimits) -> KeychainError {
        let reason =
            switch self {
            case .person:
                "the account, with those of its subordinate numbers, has"
                    + " \(limits.connectionsPerPerson) connections to the daemon, which is the"
                    + " limit: end programs that use the keychain"
            case .server: "the daemon has \(limits.connections) connections, which is the limit"
            }
        return KeychainError(.notAvailable, reason)
    }
}
