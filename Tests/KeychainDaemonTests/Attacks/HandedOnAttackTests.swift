import Foundation
import Glibc
import TestSupport
import Testing

// Sockets that are kept, inherited or handed on, and process numbers.

extension `An attack on the system daemon` {
    @Suite(.requirement("DMN-03")) struct `by a socket that is handed on` {
        private let stage: AttackStage
        private let stranger: String
        private let launcher: String

        init() throws {
            stage = try AttackStage.current()
            (stranger, launcher) = (stage.program("stranger"), stage.program("launcher"))
        }

        private static let anotherProcess =
            "refused the daemon ended the connection: another process"
        private static let anotherProgram =
            "refused the daemon ended the connection: the process executed another program"

        /// A stranger who only greets, and then takes steps without having read the welcome.
        private func greets(_ steps: String) throws -> AttackProcess {
            let words = steps.split(separator: " ").map(String.init)
            return try stage.launch(
                [stranger, "connect", try stage.daemon.socket, "-hello"] + words
            )
        }

        /// Has the daemon sleep until a permitted program runs in the attacker's process.
        private func whileDaemonSleeps(
            _ body: () throws -> AttackProcess
        ) throws -> AttackProcess {
            let daemon = try stage.daemon
            daemon.signal(SIGSTOP)
            defer { daemon.signal(SIGCONT) }
            let attacker = try body()
            try attacker.line(with: "ready")
            return attacker
        }

        @Test func `with a permitted program in its place while it is judged ends`() throws {
            let attacker = try whileDaemonSleeps {
                try greets("watch exec \(launcher) \(stranger) read whoami")
            }
            try attacker.line(with: "arrived")
            try attacker.tell()
            let lines = try attacker.end()
            #expect(lines.begin(with: "welcome", Self.anotherProgram))
        }

        @Test func `by a child, while the parent becomes a permitted program, ends`() throws {
            let attacker = try whileDaemonSleeps { try greets("fork \(launcher) read whoami") }
            try attacker.line(with: "welcome")
            #expect(try attacker.line()?.hasPrefix(Self.anotherProcess) == true)
            try attacker.end(with: SIGKILL)
        }

        @Test func `with its token after it became a permitted program keeps its own rights`()
            throws
        {
            let file = "\(stage.own)/token"
            let steps = "whoami save \(file) exec \(launcher) \(stranger) load \(file) whoami"
            let attacker = try stage.start("stranger", steps)
            try attacker.line(with: "ready")
            try attacker.tell()
            #expect(try attacker.end() == ["observed path:\(stranger)"])
        }

        @Test func `to a child ends with the child's first message`() throws {
            let lines = try stage.play("mailer", "whoami child whoami")
            #expect(lines.begin(with: "verified mail", Self.anotherProcess))
        }

        @Test func `to a child that greets is worth what the child is worth`() throws {
            let bin = "\(stage.own)/bin/stranger"
            let lines = try stage.play("mailer", "whoami child exec \(bin) hello whoami")
            #expect(lines == ["verified mail", "welcome", "nobody"])
        }

        @Test(.requirement("DMN-02"), arguments: [false, true])
        func `to another process, with the token, ends with its first message`(
            isOfAnotherAccount: Bool
        ) throws {
            let place = "\(stage.folder)/spot-\(UUID())"
            try prepare("install -d -m 777 \(place)")
            let user = isOfAnotherAccount ? stage.other : stage.account
            let taker = try stage.launch([stranger, "take", "\(place)/s", "whoami"], as: user)
            try taker.line(with: "ready")
            let giver = try stage.start("mailer", "whoami give \(place)/s hear")
            #expect(try taker.end().begin(with: Self.anotherProcess))
            #expect(try giver.end(with: SIGKILL) == ["verified mail"])
        }

        @Test(.requirement("DMN-02"), arguments: [false, true])
        func `does not let another process join with the token`(
            isOfAnotherAccount: Bool
        ) throws {
            let file = "\(stage.own)/joined"
            let giver = try stage.start("mailer", "save \(file) say hear")
            try giver.line(with: "ready")
            let user = isOfAnotherAccount ? stage.other : stage.account
            let socket = try stage.daemon.socket
            let joiner = try stage.launch(
                [stranger, "connect", socket, "load", file, "joining", "hello", "whoami"],
                as: user
            )
            #expect(try joiner.end() == ["welcome", "observed path:\(stranger)"])
            try giver.end(with: SIGKILL)
        }

        @Test(.requirement("DMN-04"))
        func `to a protected program that says what it is told gives it no rights`() throws {
            let mailer = stage.program("mailer")
            let steps = ["hello", "whoami", "find", "mail", "mail"]
            let lines = try stage.launch(
                [stranger, "connect", try stage.daemon.socket, "exec", mailer] + steps
            ).end()
            #expect(lines.begin(with: "welcome", "nobody", missingEntitlement))
        }

        @Test(.requirement("DMN-04"))
        func `of another protected program gives a protected program no rights`() throws {
            let mailer = stage.program("mailer")
            let steps = ["child", "exec", mailer, "hello", "whoami", "find", "mail", "mail"]
            let lines = try stage.launch(
                [mailer, "connect", try stage.daemon.socket] + steps
            ).end()
            #expect(lines.begin(with: "welcome", "nobody", missingEntitlement))
        }

        @Test func `with a process number that is used again ends`() throws {
            let daemon = try stage.daemon
            let file = "\(stage.own)/again"
            let process = try stage.launch(
                [
                    stranger, "connect", daemon.socket, "exec", stage.program("reuse"),
                    "\(stage.account)", "\(daemon.number)", stage.program("mailer"), file,
                ],
                as: 0
            )
            #expect(try process.end() == ["ended"])
            #expect(process.status == 0)
        }

        @Test(.requirement("DMN-04"))
        func `cannot name another process as its sender`() throws {
            let socket = try stage.daemon.socket
            let steps = ["connect", socket, "claim", launcher, "-hello"]
            let refused = try stage.launch([stranger] + steps).end()
            #expect(refused == ["cannot send: Operation not permitted"])
        }

        @Test(.requirement("DMN-04"))
        func `names another process as its sender in namespaces of its own, for nothing`() throws {
            let socket = try stage.daemon.socket
            let steps = [
                "connect", socket, "claim", launcher, "hello", "whoami", "find", "mail", "mail",
            ]
            let words = ["/usr/bin/unshare", "-Urpf", stranger] + steps
            let lines = try stage.launch(words).end()
            #expect(lines.begin(with: "welcome", "nobody", missingEntitlement))
        }
    }
}
