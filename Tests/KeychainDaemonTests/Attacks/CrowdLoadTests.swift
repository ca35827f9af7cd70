import Foundation
import Glibc
import TestSupport
import Testing

// A slice of Scripts/crowd.sh: fewer accounts, and bounds that hold on a busy machine, too.

extension `An attack on the system daemon` {
    @Suite(.timeLimit(.minutes(10))) struct `by work beside a crowd` {
        private static let count = 48
        private let stage: AttackStage
        private let program: String

        init() throws {
            stage = try AttackStage.current()
            program = stage.program("crowd")
            guard access(program, X_OK) != 0 else { return }
            var root = URL(filePath: #filePath)
            for _ in 0..<4 { root.deleteLastPathComponent() }
            let line = "exec clang -w -O1 -o \(program) \(root.path)/Scripts/crowd/*.c"
            let compiler = try AttackProcess(["/bin/sh", "-c", line], AttackStage.inherited)
            let lines = try compiler.end()
            try #require(compiler.status == 0, "\(lines)")
        }

        /// A daemon with a crowd that is connected, and finds nothing for an hour.
        private func crowd(_ name: String) throws -> (AttackDaemon, AttackProcess) {
            let daemon = try AttackDaemon(stage.folder + "/" + name, of: stage)
            let words = [program, "crowd", daemon.socket, "3000000", "\(Self.count)", "3600000"]
            let crowd = try stage.launch(words, as: 0)
            #expect(try crowd.line() == "\(Self.count) accounts are ready, 0 are not")
            return (daemon, crowd)
        }

        @Test(.requirement("HRD-07"))
        func `takes a thread of the daemon for nobody who sends nothing`() throws {
            let (daemon, crowd) = try crowd("crowd-idle")
            let tasks = "/proc/\(daemon.number)/task"
            // They end one after the other, a second after the latest message.
            while try FileManager.default.contentsOfDirectory(atPath: tasks).count >= Self.count {
                sched_yield()
            }
            try crowd.end(with: SIGKILL)
            try daemon.end(with: SIGTERM)
        }

        @Test(.requirement("HRD-07"), arguments: ["huge", "mixed", "guess"])
        func `of one account stays within its memory, and every other find succeeds`(
            storm: String
        ) throws {
            let (daemon, crowd) = try crowd("crowd-" + storm)
            let words = [program, "storm", daemon.socket, "4000010", "1", "64", storm]
            let hostile = try stage.launch(words, as: 0)
            try hostile.line(with: "hostile")
            let victim = [program, "find", daemon.socket, "4000000", "300"]
            let lines = try stage.launch(victim, as: 0).end()
            #expect(lines.count == 1 && lines[0].hasSuffix(", 0 failed"), "\(lines)")
            #expect(try daemon.peakMebibytes < 256)
            try hostile.end(with: SIGKILL)
            try crowd.end(with: SIGKILL)
            try daemon.end(with: SIGTERM)
        }
    }
}
