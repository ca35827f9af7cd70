import DataProtection
import EngineTestSupport
import Foundation
import KeychainMessages
import KeychainModel
import ModelTestSupport
import Secrets
import Synchronization
import TestSupport
import Testing

@testable import KeychainEngine

/// A keychain that takes long for a call, and what somebody does meanwhile.
@Suite(.requirement("HRD-05")) struct `A lock during a long call of the same account` {
    /// Locks as soon as the first row of the call is done.
    private final class Meanwhile: Sendable {
        private let engine = Mutex<Engine?>(nil)
        private let rows = Mutex(0)

        var rowCount: Int { rows.withLock { $0 } }

        func lock(_ engine: Engine) { self.engine.withLock { $0 = engine } }

        func happen() {
            guard let engine = engine.withLock({ $0 }) else { return }
            rows.withLock { $0 += 1 }
            engine.markLock(.ifOpened)
            engine.carryOutLocks()
        }
    }

    private static func add(_ count: Int, to fixture: EngineFixture) {
        for number in 0..<count {
            fixture.keychain.add(.of(.genericPassword, [.account: .string("account \(number)")]))
        }
    }

    private static func bytes(of backup: (BackupSink) throws -> Void) throws -> [UInt8] {
        let bytes = Mutex<[UInt8]>([])
        try backup { portion in bytes.withLock { $0 += portion } }
        return bytes.withLock { $0 }
    }

    @Test func `ends a restore at its next row, and nothing of it stays`() throws {
        let source = try EngineFixture.unlocked()
        Self.add(8, to: source)
        let backup = try Self.bytes { sink in
            _ = try source.engine.backup(password: EngineFixture.secret("backup"), to: sink)
        }
        let meanwhile = Meanwhile()
        let fixture = try EngineFixture(progress: meanwhile.happen)
        try fixture.unlock()
        meanwhile.lock(fixture.engine)
        let rest = Mutex(backup[...])
        let refusal = failure {
            try fixture.engine.restore(password: EngineFixture.secret("backup")) { count in
                rest.withLock { rest in
                    defer { rest = rest.dropFirst(count) }
                    return Array(rest.prefix(count))
                }
            }
        }
        #expect((refusal as? KeychainError)?.status == .interactionNotAllowed)
        #expect(meanwhile.rowCount == 1)
        #expect(try fixture.engine.lockState().state == .locked)
        try fixture.unlock()
        let query: AttributeDictionary = .of(.genericPassword, [.account: .string("account 0")])
        #expect(fixture.keychain.read(query).status == .itemNotFound)
    }

    @Test func `ends a change of passcode at its next row, and the earlier one stays`() throws {
        let meanwhile = Meanwhile()
        let fixture = try EngineFixture(progress: meanwhile.happen)
        try fixture.unlock()
        Self.add(8, to: fixture)
        meanwhile.lock(fixture.engine)
        let status = fixture.keychain.status(
            .device(
                .setPasscode(
                    EngineFixture.secret("5678"),
                    current: EngineFixture.secret(EngineFixture.passcode)
                )
            )
        )
        #expect(status == .interactionNotAllowed)
        #expect(meanwhile.rowCount == 1)
        #expect(try fixture.engine.lockState().state == .locked)
        #expect(throws: Never.self) { try fixture.unlock() }
    }

    @Test func `ends a walk over all rows at its next one`() throws {
        let home = try TestHome()
        let database = home.root + "/keychain.db"
        try Data().write(to: URL(filePath: database))
        let fixture = try EngineFixture(database: database)
        try fixture.unlock()
        Self.add(8, to: fixture)
        let refusal = failure {
            try fixture.inside { state throws(KeychainError) in
                var scan = state.vault.scan(state.session)
                _ = try state.vault.next(of: &scan)
                fixture.engine.markLock(.always)
                _ = try state.vault.next(of: &scan)
                _ = try state.vault.next(of: &scan)
            }
        }
        #expect((refusal as? KeychainError)?.status == .interactionNotAllowed)
    }

    @Test func `ends a statement of SQLite that takes long`() throws {
        let fixture = try EngineFixture.unlocked()
        let refusal = failure {
            try fixture.inside { state throws(KeychainError) in
                fixture.engine.markLock(.always)
                // More rows than any machine counts in a lifetime.
                try state.vault.store.connection.execute(
                    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"
                        + " SELECT count(*) FROM n"
                )
            }
        }
        #expect((refusal as? KeychainError)?.status == .interactionNotAllowed)
        #expect(try fixture.engine.lockState().state == .locked)
    }

    /// A call, and a look at the clock during it, in seconds after the latest use before; with an
    /// idle limit of 60.
    struct Look: Sendable, CustomTestStringConvertible {
        let beginning: Int
        let moment: Int
        /// Whether the call has to give up.
        let givesUp: Bool

        var testDescription: String { "from \(beginning) s on, seen at \(moment) s" }
    }

    private static let looks = [
        Look(beginning: 0, moment: 61, givesUp: true),
        Look(beginning: 59, moment: 61, givesUp: false),
        Look(beginning: 59, moment: 120, givesUp: true),
    ]

    @Test(arguments: looks)
    func `by idle time counts from the beginning of the call`(look: Look) throws {
        let fixture = try EngineFixture.unlocked()
        let settings = LockSettings(idleSeconds: 60)
        _ = fixture.keychain.status(.device(.setLockSettings(settings)))
        fixture.clock.advance(seconds: Double(look.beginning))
        let refusal = failure {
            try fixture.inside { state throws(KeychainError) in
                fixture.clock.advance(seconds: Double(look.moment - look.beginning))
                fixture.engine.markLock(.ifDue)
                fixture.engine.carryOutLocks()
                _ = try state.vault.store.rows(.everything, withSecrets: true)
            }
        }
        #expect((refusal != nil) == look.givesUp)
        #expect(fixture.engine.lockFactsNow()?.state == (look.givesUp ? .locked : .unlocked))
    }

    @Test func `by time of day comes, whenever the call began`() throws {
        let fixture = try EngineFixture.unlocked()
        let settings = LockSettings(minuteOfDay: 0)
        _ = fixture.keychain.status(.device(.setLockSettings(settings)))
        let refusal = failure {
            try fixture.inside { state throws(KeychainError) in
                fixture.clock.advance(seconds: 86_400)
                fixture.engine.markLock(.ifDue)
                fixture.engine.carryOutLocks()
                _ = try state.vault.store.rows(.everything, withSecrets: true)
            }
        }
        #expect((refusal as? KeychainError)?.status == .interactionNotAllowed)
        #expect(fixture.engine.lockFactsNow()?.state == .locked)
    }
}
