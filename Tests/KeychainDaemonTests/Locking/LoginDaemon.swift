import DataProtection
import EngineTestSupport
import Foundation
import KeychainEngine
import KeychainModel
import LoginEvents
import Synchronization
import SystemBus
import TestSupport

@testable import KeychainDaemon

/// The lock threads of a daemon on a bus with a logind of the test's making, and an unlocked
/// keychain for account 1000, which has session `1`.
final class LoginDaemon {
    let fixture: EngineFixture
    let locks: KeychainLocks
    let notes = Notes()
    /// Why it was locked, each time.
    let reasons = Notes()
    private let threads: LockThreads
    let bus: MessageBus
    private let logind: TestProcess

    init(_ settings: LockSettings) throws {
        let fixture = try EngineFixture.unlocked()
        self.fixture = fixture
        _ = fixture.keychain.status(.device(.setLockSettings(settings)))
        bus = try MessageBus("daemon")
        logind = try bus.start(MessageBus.product("logind-mock"))
        let (notes, reasons) = (notes, reasons)
        locks = KeychainLocks(
            companions: .verified,
            keychains: { [1000: fixture.engine] },
            note: { notes.append($0) },
            locked: { account, why in reasons.append("\(account): \(why)") }
        )
        guard
            let threads = LockThreads(
                locks,
                account: nil,
                bus: .at(bus.address),
                note: notes.append
            )
        else { throw CocoaError(.fileReadUnknown) }
        self.threads = threads
        try happen("begin 1 1000 user")
        guard threads.start() else { throw CocoaError(.fileReadUnknown) }
        notes.wait(for: "watching logind")
    }

    deinit { threads.end() }

    func happen(_ events: String...) throws {
        for event in events {
            try logind.write(event + "\n")
            guard try logind.hear(until: "\n") == "done\n" else {
                throw CocoaError(.fileReadUnknown)
            }
        }
    }

    var state: LockState { get throws { try fixture.engine.lockState().state } }
}

/// What a daemon writes to its log.
final class Notes: Sendable {
    private let lines = Mutex<[String]>([])
    private let news = DispatchSemaphore(value: 0)

    @Sendable func append(_ line: String) {
        lines.withLock { $0.append(line) }
        news.signal()
    }

    var all: [String] { lines.withLock(\.self) }

    /// Waits for a line that contains the words.
    func wait(for words: String) {
        while !all.contains(where: { $0.contains(words) }) { news.wait() }
    }
}
