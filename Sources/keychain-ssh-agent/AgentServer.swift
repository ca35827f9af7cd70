import Cryptography
import Glibc
import KeychainModel
import KeychainPrompts
import KeychainSockets
import SSHAgentProtocol
import SSHKeys
import Secrets

// Laws  (1) No thread waits for the user, a client or the keychain while it holds the machine.
//       (2) A connection of another account gets no byte, except root's. As with OpenSSH's agent,
//           root can do anything that this account can.

/// The server of an agent's socket: a thread for each connection, and one machine.
final class AgentServer: Sendable {
    /// The greatest number of connections at a time.
    static let connectionLimit = 64

    private let machine: AdaptiveMutex<AgentMachine>
    private let keychain: SSHKeychain
    private let prompter: ConfirmationPrompter?
    private let connectionCount = AdaptiveMutex(0)
    private let turn = PromptTurn()
    /// Makes the accepting thread check again when the next key ends.
    private let wake: @Sendable () -> Void

    init(
        _ machine: AgentMachine,
        _ keychain: SSHKeychain,
        _ prompter: ConfirmationPrompter?,
        wake: @escaping @Sendable () -> Void
    ) {
        self.machine = AdaptiveMutex(machine)
        self.keychain = keychain
        self.prompter = prompter
        self.wake = wake
    }

    /// Forgets keys whose lifetime is over.
    ///
    /// - Returns: The uptime at which the next lifetime ends; nil if none does.
    func expire() -> Duration? {
        let uptime = AgentClock.uptime()
        return machine.withLock { machine in
            machine.expire(at: uptime)
            return machine.nextEnd.map { $0 - uptime }
        }
    }

    /// Offers the keychain's keys again that clients have hidden.
    func showAllKept() { machine.withLock { $0.showAllKept() } }

    /// Serves a connection on a new thread; closes it if there are too many.
    func serve(_ stream: consuming UnixStream) {
        guard let peer = try? stream.peer() else { return }
        guard Self.serves(peer.userID) else {
            return AgentOutput.complain("refused a connection of the account \(peer.userID)")
        }
        let isRoom = connectionCount.withLock { count in
            guard count < Self.connectionLimit else { return false }
            count += 1
            return true
        }
        guard isRoom else { return }
        let client = AgentClient(stream)
        let hasStarted = DetachedThread.start { [self] in
            converse(with: client)
            connectionCount.withLock { $0 -= 1 }
        }
        if !hasStarted { connectionCount.withLock { $0 -= 1 } }
    }

    /// Whether a process of an account is served.
    static func serves(_ userID: uid_t) -> Bool { userID == geteuid() || userID == 0 }

    private func converse(with client: AgentClient) {
        var connection = AgentConnection()
        while let message = client.receive() {
            let reply = answer(message.secret, &connection, client)
            guard client.send(reply) else { return }
        }
    }

    private func answer(
        _ message: borrowing Secret,
        _ connection: inout AgentConnection,
        _ client: AgentClient
    ) -> AgentReply {
        guard
            let request = message.withUnsafeBytes({ bytes in try? AgentRequest(bytes) })
        else { return .failure }
        guard let salt = request.salt() else { return .failure }
        let moment = AgentClock.moment()
        let step = machine.withLock { machine in
            machine.handle(request, on: &connection, at: moment, salt: salt)
        }
        if case .add = request { wake() }
        return carryOut(step, client)
    }

    private func carryOut(_ step: AgentMachine.Step, _ client: AgentClient) -> AgentReply {
        switch step {
        case .reply(let reply): return reply
        case .replyAfter(let delay, let reply):
            AgentClock.pause(delay)
            return reply
        case .list(let identities):
            let kept = machine.withLock(\.offersKept) ? keptIdentities() : []
            return machine.withLock { $0.identities(identities, adding: kept) }
        case .hideKept(let blob):
            let kept = keptIdentities().filter { $0.key.blob == blob }
            return machine.withLock { machine in
                guard let offered = kept.first(where: machine.offers) else { return .failure }
                machine.hide(offered)
                return .success
            }
        case .hideAllKept: return hideAllKept()
        case .sign(let order): return sign(order, client)
        }
    }

    /// Hides all kept keys.
    ///
    /// Fails if the keychain is unavailable, because its keys would reappear with it.
    private func hideAllKept() -> AgentReply {
        do throws(KeychainError) {
            let items = try keychain.items()
            machine.withLock { $0.hide(items) }
            return .success
        } catch {
            AgentOutput.complain("the keychain's keys cannot be hidden: \(error)")
            return .failure
        }
    }

    /// Returns the kept keys; none if the keychain does not open.
    ///
    /// Standard error gets the reason.
    private func keptIdentities() -> [AgentIdentity] {
        do throws(KeychainError) { return try keychain.identities() } catch {
            AgentOutput.complain("the keychain's keys cannot be listed: \(error)")
            return []
        }
    }

    private func sign(_ order: SigningOrder, _ client: AgentClient) -> AgentReply {
        if order.needsConfirmation {
            let agreed = turn.take(while: client.isThere) {
                prompter?.asks(
                    order.question,
                    quoting: ("Comment", order.comment),
                    while: client.isThere
                ) ?? false
            }
            let uptime = AgentClock.uptime()
            guard agreed == true, machine.withLock({ $0.stillPermits(order, at: uptime) }) else {
                return .failure
            }
        }
        switch order.place {
        case .volatile(let key): return order.sign(with: key)
        case .kept:
            let hidden = machine.withLock(\.hiddenItems)
            do throws(KeychainError) { return try keychain.sign(order, except: hidden) } catch {
                // Clients try every key that they know, so an unknown key is not an error.
                if error.status != .itemNotFound {
                    AgentOutput.complain("\(order.fingerprint) does not sign: \(error)")
                }
                return .failure
            }
        }
    }
}

extension AgentRequest {
    /// Returns random bytes for a lock; empty for other requests, nil after a failure.
    fileprivate func salt() -> [UInt8]? {
        guard case .lock = self else { return [] }
        return try? SystemRandomSource().bytes(AgentMachine.saltByteCount)
    }
}

/// A turn that lets only one prompt be visible at a time.
private final class PromptTurn: Sendable {
    private static let pause = Duration.milliseconds(50)
    private let isTaken = AdaptiveMutex(false)

    /// Runs `body` when no other prompt is visible; returns nil if it is no longer wanted by then.
    func take<Value>(while isWanted: () -> Bool, _ body: () -> Value) -> Value? {
        let deadline = PromptDeadline()
        while !isTaken.withLock({ taken in
            defer { taken = true }; return !taken
        }) {
            guard isWanted(), deadline.isOpen else { return nil }
            AgentClock.pause(Self.pause)
        }
        defer { isTaken.withLock { $0 = false } }
        return body()
    }
}
