import Foundation
import Glibc
import TestSupport
import Testing

// A machine that fails the daemon: a disk that is full, and a clock that jumps.

extension `An attack on the system daemon` {
    @Suite struct `by the machine` {
        private let stage: AttackStage

        init() throws { stage = try AttackStage.current() }

        @Test(.requirement("DMN-15"))
        func `with a full disk is told, loses nothing, and ends when there is room`() throws {
            let folder = stage.folder + "/disk"
            let mount = "mount -t tmpfs -o size=2m,mode=700 none \(folder)/state && exec \"$@\""
            let daemon = try AttackDaemon(
                folder,
                of: stage,
                after: ["/usr/bin/unshare", "-m", "/bin/sh", "-c", mount, "sh"]
            )
            let group = "path:\(stage.program("stranger"))"
            func play(_ steps: String) throws -> [String] {
                try stage.play("stranger", steps, at: daemon.socket)
            }
            let last = try #require(try play("adds \(group) 1000 50000").last)
            #expect(last.contains(" added, failed "))
            let count = try #require(Int(last.prefix { $0 != " " }))
            #expect(count > 2)
            let finds = (0..<count).map { "find \(group) \($0)" }.joined(separator: " ")
            #expect(try play(finds).count { $0.hasPrefix("value xxx") } == count)
            try prepare(
                "nsenter -t \(daemon.number) -m mount -o remount,size=32m \(folder)/state"
            )
            #expect(try play("add \(group) later x find \(group) later") == ["nothing", "value x"])
            #expect(try play(finds).count { $0.hasPrefix("value xxx") } == count)
            try daemon.end(with: SIGTERM)
        }

        @Test(.requirement("DMN-13", "DMN-15"))
        func `with a clock that jumps loses nothing, and shortens no delay`() throws {
            let folder = stage.folder + "/clock"
            let clock = stage.folder + "/clock-offset"
            func jump(_ days: Int) throws {
                var seconds = days * 86_400
                let file = try FileHandle(forUpdating: URL(filePath: clock))
                try file.write(contentsOf: Data(bytes: &seconds, count: 8))
            }
            try Data(count: 4096).write(to: URL(filePath: clock))
            let daemon = try AttackDaemon(
                folder,
                of: stage,
                ["LD_PRELOAD": stage.program("libclock"), "CLOCK": clock]
            )
            func play(_ steps: String) throws -> [String] {
                try stage.play("command", steps, at: daemon.socket)
            }
            #expect(try play("add keychain first x passcode right-horse") == ["nothing", "done"])
            let wrong = Array(repeating: "unlock wrong", count: 6).joined(separator: " ")
            let refused = try play("lock \(wrong) unlock right-horse")
            #expect(refused.last?.hasPrefix("failed ") == true)
            let later = try [4000, -8000, 1].map { days in
                try jump(days)
                return try play("unlock right-horse verifylog")
            }
            #expect(later.allSatisfy { $0.begin(with: "failed ", "1 intact, 0 faults") })
            try jump(0)
            try daemon.end(with: SIGKILL)
        }

        @Test(.requirement("DMN-15"), arguments: [4000, -8000])
        func `with another year finds what was stored before`(days: Int) throws {
            let folder = stage.folder + "/year\(days)"
            let clock = folder + "-offset"
            try Data(count: 4096).write(to: URL(filePath: clock))
            let daemon = try AttackDaemon(
                folder,
                of: stage,
                ["LD_PRELOAD": stage.program("libclock"), "CLOCK": clock]
            )
            let before = try stage.start(
                "command",
                "add keychain first x say hear find keychain first add keychain second y"
                    + " find keychain second verifylog",
                at: daemon.socket
            )
            try before.line(with: "ready")
            var seconds = days * 86_400
            let file = try FileHandle(forUpdating: URL(filePath: clock))
            try file.write(contentsOf: Data(bytes: &seconds, count: 8))
            try before.tell()
            #expect(try before.end() == ["value x", "nothing", "value y", "1 intact, 0 faults"])
            let line = try #require(try stage.play("command", "log", at: daemon.socket).first)
            let time = try #require(Int(line.prefix { $0 != " " }))
            #expect(abs(time - Glibc.time(nil) - seconds) < 100)
            try daemon.end(with: SIGTERM)
        }
    }
}
