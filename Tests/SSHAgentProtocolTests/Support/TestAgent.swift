import Cryptography
import SSHAgentProtocol
import Secrets
import Testing

/// An agent whose clock a test sets, and which signs and lists as the executable does.
struct TestAgent {
    var machine: AgentMachine
    var uptime = Duration.seconds(1000)
    /// 2026.
    var secondsSince1970: UInt64 = 1_767_225_600
    /// What the keychain would list.
    var kept: [AgentIdentity] = []
    /// The orders that were carried out.
    private(set) var orders: [SigningOrder] = []
    /// The last delay of a reply.
    private(set) var delay: Duration?

    static let cheap = Argon2id.Cost(memoryKiB: 64, passes: 1, lanes: 1)

    init(lifetimeSeconds: UInt32? = nil) {
        machine = AgentMachine(lifetimeSeconds: lifetimeSeconds, lockCost: Self.cheap)
    }

    /// The reply to a message.
    mutating func reply(
        _ message: [UInt8],
        on connection: inout AgentConnection
    ) -> AgentReply {
        let request = message.withUnsafeBytes { try? AgentRequest($0) }
        guard let request else { return .failure }
        let moment = AgentMoment(uptime: uptime, secondsSince1970: secondsSince1970)
        let salt = [UInt8](repeating: 7, count: AgentMachine.saltByteCount)
        switch machine.handle(request, on: &connection, at: moment, salt: salt) {
        case .reply(let reply): return reply
        case .replyAfter(let delay, let reply):
            self.delay = delay
            return reply
        case .list(let identities): return machine.identities(identities, adding: kept)
        case .hideKept(let blob):
            let found = kept.first { $0.key.blob == blob && machine.offers($0) }
            guard let found else { return .failure }
            machine.hide(found)
            return .success
        case .hideAllKept:
            machine.hide(kept.compactMap(\.item))
            return .success
        case .sign(let order):
            if case .kept = order.place {
                // As the keychain does, by the item of the key.
                let item = kept.first { $0.key.hasSameKey(as: order.key) }?.item
                guard item.map({ !machine.hiddenItems.contains($0) }) ?? true else {
                    return .failure
                }
            }
            orders.append(order)
            guard case .volatile(let key) = order.place else { return .failure }
            return order.sign(with: key)
        }
    }

    /// The reply on a new connection.
    mutating func reply(_ message: [UInt8]) -> AgentReply {
        var connection = AgentConnection()
        return reply(message, on: &connection)
    }

    /// The comments of what is listed on a connection.
    mutating func listed(on connection: inout AgentConnection) -> [String] {
        guard case .identities(let found) = reply(ClientMessage.identities, on: &connection) else {
            return ["no list"]
        }
        return found.map(\.comment)
    }

    mutating func listed() -> [String] {
        var connection = AgentConnection()
        return listed(on: &connection)
    }
}
