import Foundation
import Glibc
import TestSupport
import Testing

// Agents that lie, agents that compete, and prompts in a storm.

extension `An attack on the system daemon` {
    @Suite(.requirement("DMN-09")) struct `by prompts` {
        private let stage: AttackStage

        init() throws {
            stage = try AttackStage.current()
            try stage.openGuarded()
        }

        /// An agent that shows nothing, and answers when it is told to.
        private func agent(_ steps: String) throws -> AttackProcess {
            let agent = try stage.start("agent", "agent say read hear \(steps)", as: stage.guarded)
            try agent.line(with: "ready")
            return agent
        }

        private func asker() throws -> AttackProcess {
            try stage.start("mailer", "find mail gated", as: stage.guarded)
        }

        @Test(.requirement("DMN-04"), arguments: ["stranger", "mailer", "reader"])
        func `finds no agent in a program without the right to be one`(name: String) throws {
            let lines = try stage.play(name, "agent", as: stage.guarded)
            #expect(lines.begin(with: "refused \(stage.program(name))"))
        }

        @Test func `is refused at once without an agent`() throws {
            #expect(try asker().end().begin(with: "failed -25308"))
        }

        @Test(arguments: ["1 presented", "3 -", "6 -"])
        func `ends an agent that claims what only a sensor sees, and opens nothing`(
            answer: String
        ) throws {
            let agent = try agent("show last \(answer) read")
            let asker = try asker()
            try agent.line(with: "prompt ")
            try agent.tell()
            #expect(try asker.end().begin(with: "failed -25308"))
            #expect(try agent.end().last == "ended")
        }

        @Test func `is answered once, by the agent that was asked, for the prompt that is shown`()
            throws
        {
            let lies = "-show 4000000000 2 \(AttackStage.passcode) show last 5 -"
            let agent = try agent("\(lies) read hear -show 1 2 \(AttackStage.passcode)")
            let asker = try asker()
            try agent.line(with: "prompt ")
            let other = try stage.play(
                "agent",
                "agent -show 1 2 \(AttackStage.passcode)",
                as: stage.guarded
            )
            #expect(other == ["done"])
            try agent.tell()
            #expect(try asker.end().begin(with: "failed -128"))
            try agent.end(with: SIGKILL)
        }

        @Test func `opens nothing with a wrong passcode`() throws {
            let agent = try agent("-show last 2 wrong read -show last 5 - hear")
            let asker = try asker()
            try agent.line(with: "prompt ")
            try agent.tell()
            #expect(try asker.end().first?.hasPrefix("failed ") == true)
            try agent.end(with: SIGKILL)
            try stage.openGuarded()
        }

        @Test(.requirement("DMN-15"))
        func `goes to the second of two agents when the first is killed, and fails without any`()
            throws
        {
            let agents = try [agent(""), agent("show last 2 \(AttackStage.passcode)")]
            let first = try asker()
            let shown = try agents[0].line(with: "prompt ")
            try agents[0].end(with: SIGKILL)
            #expect(try agents[1].line(with: "prompt ") == shown)
            try agents[1].tell()
            #expect(try first.end() == ["value secret-of-mail"])
            try agents[1].end(with: SIGKILL)
            let last = try agent("")
            let second = try asker()
            try last.line(with: "prompt ")
            try last.end(with: SIGKILL)
            #expect(try second.end().begin(with: "failed -25308"))
        }

        @Test(.requirement("DMN-17"))
        func `in a storm shows one and lets few wait, and leaves others in peace`() throws {
            let agent = try agent("read -show last 5 - say hear")
            let first = try storm("reader", "notes", expecting: 15)
            let shown = try agent.line(with: "prompt ")
            #expect(shown.contains(stage.program("reader")))
            let second = try storm("mailer", "mail", expecting: 16)
            // The queue is full, but what needs nobody goes on, and so do other accounts.
            #expect(try asker().end().begin(with: "failed -25308"))
            let plain = try stage.play("mailer", "find mail plain", as: stage.guarded)
            #expect(plain == ["value x"])
            try stage.requirePeace()
            // With the process goes its prompt, and those of it that wait.
            try agent.tell()
            try first.end(with: SIGKILL)
            try agent.line(with: "withdraw ")
            try agent.line(with: "ready")
            try second.end(with: SIGKILL)
            try agent.end(with: SIGKILL)
        }

        /// A program that causes twenty prompts.
        private func storm(
            _ name: String,
            _ group: String,
            expecting count: Int
        ) throws -> AttackProcess {
            let socket = try stage.daemon.socket
            let process = try stage.launch(
                [stage.program(name), "storm", socket, "20", "\(count)", group, "gated", "hear"],
                as: stage.guarded
            )
            #expect(try process.line() == "\(count) answered, \(count) refused")
            return process
        }
    }
}
