import Foundation
import Glibc
import TestSupport
import Testing

private let passcode = "correct-horse-battery"

/// A program of the account that is worth nothing weakens how the keychain locks.
@Suite(.enabled(if: geteuid() == 0, "several accounts need root"), .requirement("HRD-09"))
struct `The lock settings of a keychain in the daemon` {
    private let bench: DaemonBench

    init() throws {
        bench = try DaemonBench(servesAll: true)
        try bench.writePolicy()
        try bench.start("--system", "--state", bench.folder + "/state")
        try #require(try bench.run("passcode", "set", input: passcode + "\n").status == 0)
        let set = try bench.run("set-keychain-settings", "-l", "-u", "-t", "600")
        try #require(set.status == 0, "\(set.errors)")
    }

    private static let weaker = [
        [], ["-u", "-t", "600"], ["-l"], ["-l", "-u", "-t", "601"],
        ["-l", "-u", "-t", "4294967295"],
    ]

    @Test(arguments: weaker) func `get weaker only for the passcode`(words: [String]) throws {
        #expect(try bench.run(["set-keychain-settings"] + words).status != 0)
        let shown = try bench.run("show-keychain-info", "--json").output
        #expect(shown.contains("\"idleSeconds\": 600") && shown.contains("\"onSleep\": true"))
        let proven = try bench.run(["set-keychain-settings"] + words, input: passcode + "\n")
        #expect(proven.status == 0, "\(proven.errors)")
    }

    @Test func `get stronger without it`() throws {
        let words = ["set-keychain-settings", "-l", "-u", "-t", "60", "--at", "22:30"]
        #expect(try bench.run(words).status == 0)
    }
}
