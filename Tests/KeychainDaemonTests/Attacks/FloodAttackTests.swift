import Foundation
import Glibc
import TestSupport
import Testing

// Programs that use everything up, or let the daemon wait.

extension `An attack on the system daemon` {
    @Suite(.requirement("DMN-17")) struct `by a flood` {
        private let stage: AttackStage
        private let stranger: String

        init() throws {
            stage = try AttackStage.current()
            stranger = stage.program("stranger")
        }

        /// Opens so many connections, and keeps them.
        private func flood(_ count: Int) throws -> AttackProcess {
            let socket = try stage.daemon.socket
            let limit = ["/usr/bin/prlimit", "--nofile=\(count + 100)"]
            let identity = [
                "/usr/bin/setpriv", "--reuid", "\(stage.other)", "--regid", "\(stage.other)",
                "--clear-groups",
            ]
            let words = [stranger, "flood", socket, "\(count)", "hear"]
            return try stage.launch(limit + identity + words, as: 0)
        }

        @Test func `of 2,000 connections keeps 64, and leaves other accounts in peace`() throws {
            let flood = try flood(2000)
            #expect(try flood.line() == "2000 welcomed, 0 refused, 0 ended")
            try stage.requirePeace()
            try flood.end(with: SIGKILL)
        }

        @Test(.requirement("DMN-15"))
        func `leaves no connection behind when it is killed`() throws {
            try stage.waitForConnections(as: stage.other)
            let flood = try flood(64)
            #expect(try flood.line() == "64 welcomed, 0 refused, 0 ended")
            try flood.end(with: SIGKILL)
            // The daemon hears of the end of a process when it gets there.
            try stage.waitForConnections(as: stage.other)
        }

        /// What each of them sends before it falls silent.
        private static let silences = [
            "nothing": "read", "half a header": "raw 000015 read",
            "half a greeting": "raw 000000150001000000 read",
            "half a message": "hello raw 0000010000020000 read",
            "no reading of replies": "hello unread",
            "4 GiB instead of a greeting": "raw ffffffff00 read",
            "4 GiB": "hello raw ffffffff0002 read",
        ]

        @Test func `of silence, half frames, 4 GiB frames and unread replies ends in time`() throws
        {
            let socket = try stage.daemon.socket
            let silent = try Self.silences.mapValues { steps in
                let words = steps.split(separator: " ").map(String.init)
                return try stage.launch([stranger, "connect", socket] + words)
            }
            // Meanwhile nobody waits.
            try stage.requirePeace()
            let ends = try silent.mapValues { process in
                try process.end().filter { $0 != "welcome" }
            }
            let waiting = ends.filter { _, lines in
                !lines.isEmpty && lines[0] != "ended" && !lines[0].hasPrefix("refused")
            }
            #expect(waiting.isEmpty)
            #expect(silent.values.allSatisfy { $0.status == 0 })
        }
    }
}

extension AttackStage {
    /// Waits until an account may have all its connections again.
    func waitForConnections(as user: UInt32) throws {
        let words = [program("stranger"), "flood", try daemon.socket, "64"]
        for _ in 0..<1000 {
            if try launch(words, as: user).end() == ["64 welcomed, 0 refused, 0 ended"] { return }
        }
        throw ProgramFailure(description: "the connections of \(user) did not come back")
    }
}
