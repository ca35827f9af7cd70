import Cryptography
import Secrets

@testable import SSHAgentProtocol

extension FuzzTarget {
    /// Messages to an SSH agent, each behind its size in two bytes; or, behind a byte 0xFF, an
    /// OpenSSH key file.
    ///
    /// A key is written as it was read, and an agent that is locked shows nothing.
    static let sshAgent = FuzzTarget(name: "ssh-agent") { bytes throws(BrokenLaw) in
        if bytes.first == 0xFF { return try readKeyFile(Array(bytes.dropFirst())) }
        var reader = InputReader(bytes)
        let cost = Argon2id.Cost(memoryKiB: 64, passes: 1, lanes: 1)
        var machine = AgentMachine(lockCost: cost)
        var connection = AgentConnection()
        var isAccepted = false
        for round in 0..<16 where !reader.isAtEnd {
            let count = Int(reader.byte()) << 8 | Int(reader.byte())
            let message = reader.bytes(atMost: count)
            let request = message.withUnsafeBytes { try? AgentRequest($0) }
            guard let request else { continue }
            try checkKey(in: request)
            let moment = AgentMoment(uptime: .seconds(round), secondsSince1970: 1_767_225_600)
            let salt = [UInt8](repeating: 7, count: AgentMachine.saltByteCount)
            let step = machine.handle(request, on: &connection, at: moment, salt: salt)
            let reply = reply(to: step, machine)
            if machine.isLocked, case .identities(let shown) = reply {
                try require(shown.isEmpty, "a locked agent shows nothing")
            }
            try require(connection.bindings.count <= 16, "bindings are bounded")
            isAccepted = isAccepted || (reply != .failure && reply != .extensionFailure)
        }
        return isAccepted ? .accepted : .refused
    }

    private static func reply(to step: AgentMachine.Step, _ machine: AgentMachine) -> AgentReply {
        switch step {
        case .reply(let reply), .replyAfter(_, let reply): return reply
        case .list(let identities): return machine.identities(identities, adding: [])
        case .hideKept: return .failure
        case .hideAllKept: return .success
        case .sign(let order):
            guard case .volatile(let key) = order.place else { return .failure }
            return order.sign(with: key)
        }
    }

    private static func checkKey(in request: AgentRequest) throws(BrokenLaw) {
        let key: SSHPublicKey
        switch request {
        case .add(let added): key = added.key.publicKey
        case .sign(let request):
            guard let read = try? SSHPublicKey(blob: request.blob) else { return }
            key = read
        default: return
        }
        guard key.certificate == nil else { return }
        try require(SSHPublicKey(key.key)?.blob == key.blob, "a key is written as it was read")
    }

    private static func readKeyFile(_ bytes: [UInt8]) throws(BrokenLaw) -> Verdict {
        let file: OpenSSHKeyFile
        do throws(SSHFormatError) { file = try OpenSSHKeyFile(Secret(copying: bytes)) } catch {
            return .refused
        }
        let identity = file.identity.secret.copyBytesUnprotected()
        let request = ([17] + identity).withUnsafeBytes { try? AgentRequest($0) }
        guard case .add(let added)? = request else {
            throw BrokenLaw(law: "what a file holds can be added")
        }
        try require(added.key.publicKey == file.key.publicKey, "the same key is added")
        return .accepted
    }
}
