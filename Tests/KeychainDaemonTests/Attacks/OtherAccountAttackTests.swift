import Foundation
import Glibc
import TestSupport
import Testing

// What belongs to another account, or to another program's session.

extension `An attack on the system daemon` {
    @Suite(.requirement("DMN-02")) struct `by another account` {
        private let stage: AttackStage

        init() throws {
            stage = try AttackStage.current()
            try stage.openGuarded()
        }

        /// The words behind the first one of the only line.
        private func value(_ lines: [String], _ word: String) throws -> String {
            try #require(lines.first?.hasPrefix(word + " ") == true, "\(lines)")
            return String(try #require(lines.first).dropFirst(word.count + 1))
        }

        @Test func `finds nothing by a persistent reference`() throws {
            let reference = try value(try stage.play("mailer", "refer mail mail"), "reference")
            let own = try stage.play("mailer", "findby \(reference)")
            #expect(own == ["value secret-of-mail"])
            let others = try stage.play("mailer", "findby \(reference)", as: stage.other)
            #expect(others.begin(with: "failed -25300"))
            let strangers = try stage.play("stranger", "findby \(reference)")
            #expect(strangers.begin(with: "failed -25300"))
        }

        @Test func `cannot use a key of the secure element`() throws {
            let handle = try value(try stage.play("mailer", "make mail"), "handle")
            #expect(try stage.play("mailer", "use \(handle)").begin(with: "bytes "))
            let others = try stage.play("mailer", "use \(handle)", as: stage.other)
            #expect(others.begin(with: "failed -26275"))
            #expect(try stage.play("stranger", "make mail").begin(with: missingEntitlement))
        }

        @Test(.requirement("DMN-09"))
        func `or another program cannot use what a context has proven`() throws {
            let socket = try stage.daemon.socket
            let steps = "-evaluate c read answer 2 \(AttackStage.passcode) findwith c mail gated"
            let words =
                [stage.program("mailer"), "connect", socket, "prompting", "hello"]
                + steps.split(separator: " ").map(String.init) + ["say", "hear"]
            let proven = try stage.launch(words, as: stage.guarded)
            #expect(
                try (0..<4).map { _ in try proven.line() } == [
                    "welcome", "challenge", "done", "value secret-of-mail",
                ]
            )
            let stolen = try stage.play("mailer", "findwith c mail gated", as: stage.guarded)
            #expect(stolen.begin(with: "failed -25308"))
            let others = try stage.play("mailer", "findwith c mail gated", as: stage.other)
            #expect(others.begin(with: "failed -25300"))
            try proven.end(with: SIGKILL)
        }

        @Test(.requirement("DMN-09"))
        func `neither sees a prompt nor can answer it by its agent`() throws {
            let agents = try [stage.guarded, stage.other].map { user in
                try stage.start(
                    "agent",
                    "agent say read hear show last 2 \(AttackStage.passcode)",
                    as: user
                )
            }
            try agents.forEach { try $0.line(with: "ready") }
            let asker = try stage.start("mailer", "find mail gated", as: stage.guarded)
            let prompt = try agents[0].line(with: "prompt ").split(separator: " ")
            #expect(prompt.suffix(2) == ["\(stage.program("mailer"))", "3"])
            let number = try #require(prompt.dropFirst().first)
            let lines = try stage.play(
                "agent",
                "agent -show \(number) 5 - -show \(number) 2 wrong",
                as: stage.other
            )
            #expect(lines == ["done"])
            try agents[0].tell()
            #expect(try asker.end() == ["value secret-of-mail"])
            try agents[0].end(with: SIGKILL)
            #expect(try agents[1].end(with: SIGKILL) == [])
        }

        @Test func `does not reach the socket of an account's own daemon`() throws {
            let place = "\(stage.own)/user"
            try prepare("install -d -m 755 -o \(stage.account) \(place)")
            let words = ["--user", "--foreground", "--state", "\(place)/state", "--socket"]
            let daemon = try stage.launch(
                [stage.program("keychaind")] + words + ["\(place)/socket"]
            )
            try daemon.line(with: " serves ")
            let stranger = stage.program("stranger")
            let lines = try stage.launch([stranger, "connect", "\(place)/socket"], as: stage.other)
                .end()
            #expect(lines == ["cannot connect: Permission denied"])
            try daemon.end(with: SIGTERM)
        }
    }
}

extension AttackStage {
    /// Makes, or unlocks, the keychain that has a passcode, and items that demand it.
    func openGuarded() throws {
        if try play("mailer", "find mail plain", as: guarded) == ["value x"] { return }
        let opened = try play("mailer", "unlock \(Self.passcode) find mail plain", as: guarded)
        if opened == ["done", "value x"] { return }
        let steps = "passcode \(Self.passcode) addgated mail gated secret-of-mail add mail plain x"
        try expect(play("mailer", steps, as: guarded), "done", "nothing", "nothing")
        try expect(play("reader", "addgated notes gated secret-of-notes", as: guarded), "nothing")
    }
}
