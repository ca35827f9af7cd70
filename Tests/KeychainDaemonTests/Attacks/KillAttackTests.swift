import Foundation
import Glibc
import KeychainSockets
import ProcessWitness
import TestSupport
import Testing

// Processes that are killed at every step: nothing that was acknowledged is lost, and nobody waits
// for ever. `keychain-torture daemon` does the same at random moments.

extension `An attack on the system daemon` {
    @Suite(.requirement("DMN-15")) struct `by kill -9` {
        private let stage: AttackStage

        init() throws {
            stage = try AttackStage.current()
            try stage.openGuarded()
        }

        @Test func `of the daemon ends every wait, and its witness`() throws {
            let daemon = try stage.daemon
            let stranger = stage.program("stranger")
            let agent = try stage.start("agent", "agent read read", as: stage.guarded)
            #expect(try agent.line() == "done")
            let connected = try stage.launch([stranger, "connect", daemon.socket, "say", "read"])
            let greeted = try stage.start("mailer", "say read")
            try [connected, greeted].forEach { try $0.line(with: "ready") }
            let prompted = try stage.start("mailer", "find mail gated", as: stage.guarded)
            try agent.line(with: "prompt ")
            let witness = try daemon.witness()
            daemon.signal(SIGSTOP)
            let greeting = try stage.launch([
                stranger, "connect", daemon.socket, "-hello", "say", "read",
            ])
            let waiting = try stage.launch([stranger, "connect", daemon.socket, "say", "read"])
            try [greeting, waiting].forEach { try $0.line(with: "ready") }
            try daemon.end(with: SIGKILL)
            let everybody = [agent, connected, greeted, prompted, greeting, waiting]
            let ends = try everybody.map { try $0.end() }
            #expect(ends == everybody.map { _ in ["ended"] })
            #expect(stage.isGone(witness))
            try daemon.start()
            try stage.requirePeace()
        }

        @Test(arguments: [0, 1, 5, 20])
        func `of the daemon loses nothing that was acknowledged`(count: Int) throws {
            let daemon = try stage.daemon
            let program = stage.program("stranger")
            let group = "path:\(program)"
            let writer = try stage.start("stranger", "adds \(group) 100000 10", as: stage.other)
            if count > 0 { try writer.line(with: "added \(count - 1)") }
            try daemon.end(with: SIGKILL)
            let lines = try writer.end()
            let last = try #require(lines.last)
            #expect(last.hasSuffix("added, ended"))
            let acknowledged = try #require(Int(last.prefix { $0 != " " }))
            try daemon.start()
            let finds = (0..<acknowledged).map { "find \(group) \($0)" }.joined(separator: " ")
            let found = try stage.play("stranger", finds, as: stage.other)
            #expect(found.count == acknowledged)
            #expect(found.allSatisfy { $0 == "value xxxxxxxxxx" })
            // Whether the item under way was stored or not, it is whole.
            let next = "delete \(group) \(acknowledged) "
            let deletes = (0..<acknowledged).map { "delete \(group) \($0)" }.joined(separator: " ")
            _ = try stage.play("stranger", next + deletes, as: stage.other)
        }

        @Test func `of the witness is made good for the next program`() throws {
            let daemon = try stage.daemon
            let first = try daemon.witness()
            kill(first, SIGKILL)
            try stage.requirePeace()
            #expect(try daemon.witness() != first)
        }

        @Test func `of the witness, while it is asked, has the next one answer`() throws {
            let daemon = try stage.daemon
            let witness = try daemon.witness()
            kill(witness, SIGSTOP)
            let words = [
                stage.program("mailer"), "connect", daemon.socket, "-hello", "say", "read",
            ]
            let waiting = try stage.launch(words)
            try waiting.line(with: "ready")
            kill(witness, SIGKILL)
            #expect(try waiting.end() == ["welcome"])
            try stage.requirePeace()
        }

        @Test func `of a client takes its prompt away`() throws {
            let agent = try stage.start("agent", "agent read read", as: stage.guarded)
            #expect(try agent.line() == "done")
            let asker = try stage.start("mailer", "find mail gated", as: stage.guarded)
            let prompt = try agent.line(with: "prompt ").split(separator: " ")
            try asker.end(with: SIGKILL)
            #expect(try agent.line() == "withdraw \(prompt[1])")
            try agent.end(with: SIGKILL)
        }
    }
}

extension AttackStage {
    /// Whether a process has ended, or ends within the time that a test waits.
    fileprivate func isGone(_ process: pid_t) -> Bool {
        guard let descriptor = ProcessDescriptor.open(process)?.release() else { return true }
        defer { close(descriptor) }
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, 120_000) == 1
    }
}
