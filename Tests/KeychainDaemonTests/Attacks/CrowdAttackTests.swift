import Foundation
import Glibc
import TestSupport
import Testing

// A person who is many accounts: the range of subordinate numbers that the system gave them.

extension `An attack on the system daemon` {
    @Suite(.requirement("HRD-07")) struct `by subordinate accounts` {
        private let stage: AttackStage
        /// The first number of the range.
        private let first = UInt32(1_200_000_000)

        init() throws { stage = try AttackStage.current() }

        /// A daemon on a machine on which the attacking account has subordinate numbers.
        private func daemon(_ name: String) throws -> AttackDaemon {
            let table = stage.folder + "/subuid-" + name
            try Data("\(stage.account):\(first):65536\n".utf8).write(to: URL(filePath: table))
            chmod(table, 0o644)
            let mount = "touch /etc/subuid; mount --bind \(table) /etc/subuid && exec \"$@\""
            return try AttackDaemon(
                stage.folder + "/" + name,
                of: stage,
                after: ["/usr/bin/unshare", "-m", "/bin/sh", "-c", mount, "sh"]
            )
        }

        private func flood(_ socket: String, _ count: Int, as user: UInt32) throws -> AttackProcess
        {
            let words = [stage.program("stranger"), "flood", socket, "\(count)", "hear"]
            return try stage.launch(words, as: user)
        }

        @Test func `gets the connections of one, and leaves other accounts in peace`() throws {
            let daemon = try daemon("range")
            let floods = try (0..<8).map { try flood(daemon.socket, 8, as: first + $0) }
            let welcomes = try floods.map { try $0.line() }
            #expect(Set(welcomes) == ["8 welcomed, 0 refused, 0 ended"])
            let more = try [first + 8, first + 65_535, stage.account].map { user in
                try flood(daemon.socket, 4, as: user)
            }
            // They take the places of the person's own idle connections.
            let welcomed = try more.map { try $0.line() }
            #expect(Set(welcomed) == ["4 welcomed, 0 refused, 0 ended"])
            try more.forEach { try $0.end(with: SIGKILL) }
            let outside = try flood(daemon.socket, 4, as: first + 65_536)
            #expect(try outside.line() == "4 welcomed, 0 refused, 0 ended")
            try outside.end(with: SIGKILL)
            try floods.forEach { try $0.end(with: SIGKILL) }
            try daemon.end(with: SIGTERM)
        }

        @Test func `gets no keychain for each of its numbers`() throws {
            let daemon = try daemon("disk")
            let group = "path:\(stage.program("stranger"))"
            let answers = try (0..<17).map { index in
                try stage.play(
                    "stranger",
                    "add \(group) own x",
                    as: first + index,
                    at: daemon.socket
                )
            }
            #expect(answers.prefix(16).allSatisfy { $0 == ["nothing"] })
            #expect(answers[16].begin(with: "failed -34 account \(first + 16) is a subordinate"))
            #expect(
                try stage.play("stranger", "add \(group) own x", at: daemon.socket) == ["nothing"]
            )
            try daemon.end(with: SIGTERM)
        }
    }
}
