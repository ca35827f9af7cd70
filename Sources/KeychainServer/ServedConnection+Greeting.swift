import CallerEvidence
import KeychainModel
import KeychainSockets
import KeychainWire
import ProcessWitness
import Secrets

// Hellos: the sender's evidence is taken first, and only then a token is sent.
//
// Source: Documentation/Spec/wire.md §3.
extension ServedConnection {
    /// The newest protocol version of this server.
    private static let version: UInt16 = 1

    /// Begins or joins a session for the process that sent a hello.
    func greet(
        _ hello: ClientHello,
        _ peer: PeerIdentity,
        _ process: consuming Descriptor?
    ) throws(ConnectionEnd) {
        guard hello.version >= Self.version else {
            let reason = "the daemon does not speak version \(hello.version) of the protocol"
            throw .refused(KeychainError(.notAvailable, reason))
        }
        let next: ServedSession
        if let token = hello.token, let joined = parts.sessions.join(token, peer) {
            next = joined
            do throws(ConnectionEnd) { try confirm(next) } catch {
                parts.sessions.leave(next)
                throw error
            }
        } else {
            next = try begin(hello, peer, process)
            parts.sessions.add(next)
        }
        // Nothing remains of an earlier session of a socket that was passed on.
        leaveSession()
        session = next
        rules.begin(next.member)
        try reply(
            .welcome(
                DaemonWelcome(
                    version: Self.version,
                    token: next.token,
                    kind: next.program.kind,
                    profiles: next.program.profiles
                )
            )
        )
    }

    /// Throws unless the program with the token is the one that was judged.
    func confirm(_ session: ServedSession) throws(ConnectionEnd) {
        let isSame: Bool
        do throws(EvidenceError) {
            if session.isConfirmed { return }
            isSame = try inSlot { () throws(EvidenceError) in
                try session.confirm(by: parts.evidence)
            }
        } catch {
            throw Self.end(error)
        }
        guard isSame else {
            let reason = "the process executed another program while the daemon looked at it"
            throw .refused(.refusedConnection(reason))
        }
    }

    /// Examines a program in a turn of its person, because a large executable takes long to digest.
    private func inSlot<R>(
        _ body: () throws(EvidenceError) -> R
    ) throws(EvidenceError) -> R {
        guard let slots = parts.census.greetings(of: person) else { return try body() }
        return try slots.work(body)
    }

    private func begin(
        _ hello: ClientHello,
        _ peer: PeerIdentity,
        _ process: consuming Descriptor?
    ) throws(ConnectionEnd) -> ServedSession {
        let known = try known(peer, process)
        var evidence: Evidence
        do throws(EvidenceError) {
            evidence = try inSlot { () throws(EvidenceError) in
                try parts.evidence.evidence(of: peer, process: known.number)
            }
        } catch { throw Self.end(error) }
        evidence.isConnectionForeign = isForeign(to: peer)
        do throws(KeychainError) {
            return ServedSession(
                peer: peer,
                token: try Self.makeToken(),
                image: evidence.image,
                process: known,
                program: try parts.service.begin(evidence, answersPrompts: hello.answersPrompts),
                answersPrompts: hello.answersPrompts
            )
        } catch { throw .refused(error) }
    }

    /// Whether another process connected, or one without the group of protected programs.
    ///
    /// A program executed later with its connection may not know of it.
    private func isForeign(to peer: PeerIdentity) -> Bool {
        guard let group = parts.evidence.clientGroup else { return false }
        do throws(SocketError) {
            let connector = try stream.stream.peer()
            return connector.groupID != group || connector.processID != peer.processID
        } catch { return true }
    }

    /// Returns the process that sent a message.
    ///
    /// If the kernel did not pass a descriptor, the process ID is used. If the ID has been reused
    /// since, the new process is judged, and the ended one sends nothing more.
    private func known(
        _ peer: PeerIdentity,
        _ process: consuming Descriptor?
    ) throws(ConnectionEnd) -> Descriptor {
        if let process { return process }
        do throws(SocketError) {
            if let session, session.peer == peer, session.isAlive {
                return try session.process.duplicate()
            }
            return try Descriptor.process(peer.processID)
        } catch { throw .gone }
    }

    private static func makeToken() throws(KeychainError) -> SessionToken {
        do throws(SocketError) {
            let bytes = try RandomBytes.secret(byteCount: SessionToken.byteCount)
            return SessionToken(SharedSecret(bytes))
        } catch { throw KeychainError(.notAvailable, error.words) }
    }

    private static func end(_ error: EvidenceError) -> ConnectionEnd {
        switch error {
        case .ended: return .gone
        case .unanswered:
            let reason =
                "keychain-witness does not answer, so the daemon cannot tell which program this is"
            return .refused(KeychainError(.notAvailable, reason))
        case .refused(let operation, let code):
            let words = SocketError(operation: operation, code: code).words
            let reason = "the daemon cannot tell which program this is: \(words)"
            return .refused(KeychainError(.notAvailable, reason))
        }
    }
}
