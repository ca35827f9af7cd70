import Foundation
import Glibc
import TestSupport
import Testing

private let passcode = "correct-horse-battery"

/// Locks that a daemon's process carries out, and the lines that it writes.
@Suite(.enabled(if: geteuid() == 0, "a daemon of all accounts needs root"), .requirement("HRD-13"))
struct `Every lock of a keychain in the daemon` {
    private let bench: DaemonBench

    init() throws {
        bench = try DaemonBench(servesAll: true)
        try bench.writePolicy()
        try bench.start("--system", "--state", bench.folder + "/state")
        try #require(try bench.run("passcode", "set", input: passcode + "\n").status == 0)
    }

    private func lines(_ words: String) throws -> [Substring] {
        try bench.run("log").output.split(separator: "\n").filter { $0.contains(words) }
    }

    /// Waits until the log has a line with these words; reading the log is no use of the keychain.
    private func waitForLine(_ words: String) throws -> String {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            if let line = try lines(words).first { return String(line) }
        }
        let log = try bench.run("log").output
        return try #require(nil, "no line has \(words): \(log)")
    }

    @Test func `by the idle time writes a line with its reason`() throws {
        #expect(try bench.run("set-keychain-settings", "-u", "-t", "1").status == 0)
        let line = try waitForLine("idle time")
        let end =
            "allowed  keychaind (verified)  lock  0  "
            + "\"nobody used the keychain for the idle time\""
        #expect(line.hasSuffix(end), "\(line)")
    }

    @Test func `that a program asked for names the program`() throws {
        #expect(try bench.run("lock-keychain").status == 0)
        let line = try waitForLine("  lock  ")
        let command = try DaemonBench.program("keychainctl")
        #expect(line.contains("allowed  \(command) (observed)  lock  0"), "\(line)")
    }

    @Test func `by a restart writes a line when it is opened again`() throws {
        #expect(try bench.end() == 0)
        try bench.start("--system", "--state", bench.folder + "/state")
        #expect(try bench.run("status").status == 0)
        #expect(try lines("the daemon opened the keychain, which is locked then").count == 1)
    }

    @Test func `and each delay after too many attempts writes a line`() throws {
        let statuses = try (0..<6).map { _ in
            try bench.run("unlock-keychain", input: "wrong\n").status
        }
        #expect(!statuses.contains(0))
        #expect(try !lines("too many wrong passcodes").isEmpty)
        #expect(try lines("  unlock  -25293").count == 6)
    }
}
