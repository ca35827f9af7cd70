import CallerEvidence
import JSON
import KeychainHost
import KeychainMessages
import KeychainModel

/// The endpoint that answers, and the level that it assigns to this program.
struct EndpointFacts {
    let endpoint: EndpointDescription
    /// The daemon's description of this program; nil without a daemon.
    let caller: CallerDescription?

    init(_ context: CommandContext) throws(CommandFailure) {
        let connected = try context.connected()
        endpoint = connected.endpointDescription
        guard let daemon = connected as? DaemonEndpoint, endpoint.kind != .simulated else {
            caller = nil
            return
        }
        let reply = try CommandFailure.wrapping(try daemon.ask(.describeCaller))
        guard case .caller(let description) = reply else { throw .unexpectedReply }
        caller = description
    }

    /// The endpoint in words for the user.
    var words: String {
        let kind =
            switch endpoint.kind {
            case .embedded: "this process; no daemon"
            case .userDaemon: "daemon of this account"
            case .systemDaemon: "system daemon"
            case .simulated: "simulated device"
            }
        guard endpoint.kind != .embedded, let place = endpoint.place else { return kind }
        return "\(kind) at \(QuotedText.of(place))"
    }

    /// Rows of `status`: the endpoint, this program's level, and why the level is not higher.
    var rows: [[String]] {
        var rows = [["endpoint", words]]
        guard let judged = caller?.judged else { return rows }
        rows.append(["this program", "\(judged.level.word) (\(QuotedText.of(judged.name)))"])
        for (index, reason) in judged.reasons.enumerated() {
            rows.append([index == 0 ? "why" : "", reason])
        }
        return rows
    }

    /// The members of `status --json`.
    var members: [String: JSONValue] {
        [
            "endpoint": .text(endpoint.kind.rawValue),
            "level": caller.map { .text($0.judged.level.word) } ?? .null,
            "evidence": caller.map { $0.judged.json } ?? .null,
        ]
    }
}

extension JudgedCaller {
    fileprivate var json: JSONValue {
        var members: [String: JSONValue] = [
            "name": .text(name),
            "userID": .number(Int64(evidence.userID)),
            "processID": .number(Int64(evidence.processID)),
            "unit": evidence.systemUnit.map(JSONValue.text) ?? .null,
            "isExecutedSecurely": .flag(evidence.isExecutedSecurely),
            "isTraced": .flag(evidence.isTraced),
            "reasons": .list(reasons.map(JSONValue.text)),
        ]
        if let executable = evidence.executable {
            members["executable"] = .text(executable.path)
            members["digest"] = executable.digest.map { .text(Self.hexadecimal($0)) } ?? .null
        }
        if let confinement = evidence.confinement {
            members["confinement"] = .text(confinement.words)
        }
        return .object(members)
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}

extension Confinement {
    fileprivate var words: String {
        switch self {
        case .flatpak(let name): "flatpak \(name)"
        case .snap(let name): "snap \(name)"
        case .label(let name): "label \(name)"
        }
    }
}
