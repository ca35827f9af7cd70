import Glibc
import KeychainModel
import KeychainSockets
import KeychainWire
import ProcessWitness
import Secrets

/// A connected program, with one or several connections.
final class ServedSession: Sendable {
    let peer: PeerIdentity
    let token: SessionToken
    /// The pidfd of the process, whose end also ends the session.
    let process: Descriptor
    let program: any ProgramSession
    let answersPrompts: Bool
    /// The execution of the program that was judged.
    private let image: UInt64
    /// Whether the judged execution is the one that received the token.
    private let confirmation = AdaptiveMutex(false)

    init(
        peer: PeerIdentity,
        token: SessionToken,
        image: UInt64,
        process: consuming Descriptor,
        program: any ProgramSession,
        answersPrompts: Bool
    ) {
        self.peer = peer
        self.token = token
        self.image = image
        self.process = process
        self.program = program
        self.answersPrompts = answersPrompts
    }

    /// Whether the program was examined a second time.
    var isConfirmed: Bool { confirmation.withLock { $0 } }

    /// Whether the program that sends the token is the one that was judged.
    ///
    /// Within one process, a program can send a hello, execute a permitted program while it is
    /// judged, and execute itself again to read the token. So the first message with the token
    /// causes a second examination.
    /// - Source: Documentation/Spec/evidence.md §6.
    func confirm(by source: any EvidenceSource) throws(EvidenceError) -> Bool {
        try confirmation.withLock { isConfirmed throws(EvidenceError) in
            if isConfirmed { return true }
            let now = try source.evidence(of: peer, process: process.number)
            isConfirmed = now.image == image
            return isConfirmed
        }
    }

    var member: ConnectionRules.Member { .init(peer: peer, token: token) }

    /// Whether the process is alive; as long as it is, no other process has its ID.
    var isAlive: Bool {
        var request = pollfd(fd: process.number, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, 0) == 0
    }
}

/// The sessions of a server, with the number of connections of each.
final class SessionTable: Sendable {
    private struct Entry: Sendable {
        let session: ServedSession
        var connectionCount: Int
    }

    private let entries = AdaptiveMutex<[PeerIdentity: [Entry]]>([:])

    /// Adds a session with one connection.
    func add(_ session: ServedSession) {
        entries.withLock {
            $0[session.peer, default: []].append(Entry(session: session, connectionCount: 1))
        }
    }

    /// Adds a connection to the session with this token, if it belongs to the same process.
    func join(_ token: SessionToken, _ peer: PeerIdentity) -> ServedSession? {
        entries.withLock { entries in
            guard
                let index = entries[peer]?.firstIndex(where: { entry in
                    entry.session.token.secret.secret.constantTimeEquals(token.secret.secret)
                }),
                let session = entries[peer]?[index].session, session.isAlive
            else { return nil }
            entries[peer]?[index].connectionCount += 1
            return session
        }
    }

    /// Removes a connection from a session, which ends with its last one.
    func leave(_ session: ServedSession) {
        let isOver = entries.withLock { entries in
            guard let index = entries[session.peer]?.firstIndex(where: { $0.session === session })
            else { return false }
            entries[session.peer]?[index].connectionCount -= 1
            guard entries[session.peer]?[index].connectionCount == 0 else { return false }
            entries[session.peer]?.remove(at: index)
            if entries[session.peer]?.isEmpty == true { entries[session.peer] = nil }
            return true
        }
        if isOver { session.program.end() }
    }

    /// The number of sessions.
    var count: Int { entries.withLock { $0.values.reduce(0) { $0 + $1.count } } }
}
