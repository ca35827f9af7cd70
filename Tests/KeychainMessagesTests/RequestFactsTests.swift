import Foundation
import KeychainMessages
import MessageTestSupport
import TestSupport
import Testing

extension RequestFacts.Proof {
    /// The proof as SECURITY.md says it.
    fileprivate var words: String {
        switch self {
        case .none: "none"
        case .accessControl: "what the access control demands"
        case .passcodeInRequest(let exemption): Self.words("the passcode", exemption)
        case .passcodeInSession(let exemption): Self.words("the passcode before", exemption)
        }
    }

    private static func words(_ proof: String, _ exemption: RequestFacts.Exemption?) -> String {
        exemption.map { "\(proof), unless \($0.rawValue)" } ?? proof
    }
}

extension RequestVerb {
    /// The verb's row in SECURITY.md.
    fileprivate var row: String {
        let facts = facts
        let cells = [
            "`\(word)`", facts.asker.rawValue, facts.proof.words, facts.change.rawValue,
            facts.weakens ? "yes" : "", facts.reason,
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }
}

/// The requests that a daemon is asked in every message's sample.
private var verbsOfSamples: Set<RequestVerb> {
    let requests: [Request] =
        MessageSamples.items.map(Request.items)
        + MessageSamples.elementKeys.map(Request.elementKey)
        + MessageSamples.authentications.map(Request.authenticate)
        + MessageSamples.device.map(Request.device)
        + MessageSamples.maintenance.map(Request.maintenance)
        + MessageSamples.fileKeys.map(Request.fileKeys)
        + MessageSamples.synchronizations.map(Request.synchronization)
    return Set(requests.map(\.verb) + MessageSamples.daemonRequests.map(\.verb))
}

@Suite(.requirement("HRD-09")) struct `What a daemon can be asked for` {
    private static func page() throws -> [String] {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "SECURITY.md"), encoding: .utf8)
        return text.split(separator: "\n").map(String.init)
    }

    @Test func `is what SECURITY.md lists, row by row`() throws {
        let lines = try Self.page()
        let start = try #require(lines.firstIndex { $0.hasPrefix("| Verb | Who may ask |") })
        let rows = lines[(start + 2)...].prefix { $0.hasPrefix("| `") }
        #expect(Array(rows) == RequestVerb.all.map(\.row))
    }

    @Test func `has a word of its own for each verb`() {
        #expect(Set(RequestVerb.all.map(\.word)).count == RequestVerb.all.count)
    }

    @Test func `has a verb for every message, and a message for every verb`() {
        // An agent's registration is a message of its own.
        #expect(verbsOfSamples.union([.daemon(.showPrompts)]) == Set(RequestVerb.all))
    }

    /// What weakens a keychain and takes no proof itself goes on with what took it.
    @Test func `takes a proof for whatever weakens a keychain`() {
        let unproven = RequestVerb.all.filter { $0.facts.weakens && $0.facts.proof == .none }
        #expect(unproven == [.move(.finishAdoption), .move(.finishRelease)])
    }
}
