import Foundation
import Synchronization
import TestSupport
import Testing

@testable import KeychainDaemon

/// The lines that a journal got, and a clock that is moved by hand.
private final class Journal: Sendable {
    private let kept = Mutex<[String]>([])
    private let clock = Mutex<Int64>(0)

    var lines: [String] { kept.withLock { $0 } }

    func write(_ line: String) { kept.withLock { $0.append(line) } }

    @Sendable func now() -> Int64 { clock.withLock { $0 } }

    func advance(_ seconds: Int64) { clock.withLock { $0 += seconds } }

    func count(_ line: String) -> Int { lines.count { $0 == line } }
}

@Suite(.requirement("HRD-07")) struct `The journal of a daemon` {
    private let journal: Journal
    private let share: JournalShare

    init() {
        let journal = Journal()
        self.journal = journal
        share = JournalShare(.decisions, now: journal.now)
    }

    private func flood(_ count: Int, of person: UInt32 = 1) {
        for _ in 0..<count { share.pass("flood", of: person, to: journal.write) }
    }

    @Test func `has all decisions of an account while another one floods it`() {
        for _ in 0..<20 {
            flood(1000)
            share.pass("call", of: 2, to: journal.write)
        }
        #expect(journal.count("call") == 20)
        #expect(journal.count("flood") == 100)
        let notice =
            "account 1: 100 decisions in less than 30 s; the next ones are not shown here"
        #expect(journal.count(notice) == 1)
        #expect(journal.lines.count == 121)
    }

    @Test(arguments: [UInt32(1), 2])
    func `is told how many decisions it was not shown, by the next one of anybody`(
        person: UInt32
    ) {
        flood(350)
        journal.advance(29)
        share.pass("call", of: 3, to: journal.write)
        #expect(!journal.lines.contains { $0.contains("are not shown here:") })
        journal.advance(1)
        share.pass("call", of: person, to: journal.write)
        let sum =
            "account 1: decisions that are not shown here: 250; keychainctl log has them"
        #expect(journal.lines.suffix(2) == [sum, "call"])
        // A new period, and nothing is said twice.
        share.pass("call", of: person, to: journal.write)
        #expect(journal.count(sum) == 1)
    }

    @Test func `is not told of an account that kept to its share`() {
        flood(99)
        journal.advance(30)
        flood(99)
        #expect(journal.lines.count == 198)
    }

    @Test func `has the refusals of every account, too`() {
        let refusals = JournalShare(.refusals, now: journal.now)
        for _ in 0..<500 { refusals.pass("refused 1", of: 1, to: journal.write) }
        refusals.pass("refused 2", of: 2, to: journal.write)
        #expect(journal.count("refused 1") == 20)
        #expect(journal.count("refused 2") == 1)
        journal.advance(10)
        refusals.pass("refused 2", of: 2, to: journal.write)
        #expect(journal.count("account 1: refusals that are not shown here: 480") == 1)
    }

    @Test func `drops nothing of the daemon by itself`() throws {
        var root = URL(filePath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let unit = root.appending(path: "Packaging/systemd/system/keychaind.service")
        let lines = try String(contentsOf: unit, encoding: .utf8).split(separator: "\n")
        #expect(lines.contains("LogRateLimitIntervalSec=0"))
    }
}
