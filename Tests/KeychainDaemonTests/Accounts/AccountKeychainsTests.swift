import EngineTestSupport
import KeychainEngine
import KeychainMessages
import KeychainModel
import TestSupport
import Testing

@testable import KeychainDaemon

@Suite(.requirement("HRD-07")) struct `The keychains of many accounts` {
    private let keychains: AccountKeychains
    private static let accounts: ClosedRange<UInt32> = 1...12

    /// Makes a keychain for each of some accounts, at first without a passcode.
    private init(passcode: String? = nil) throws {
        var limits = AccountKeychains.Limits()
        limits.openCount = 4
        limits.mostCount = 6
        limits.warmCount = 2
        var engines: [UInt32: Engine] = [:]
        for account in Self.accounts {
            let fixture = try EngineFixture(passcode: passcode)
            if passcode != nil { try fixture.unlock() }
            engines[account] = fixture.engine
        }
        let made = engines
        keychains = AccountKeychains(limits, shelf: LogShelf(), warmed: {}) {
            account throws(KeychainError) in
            guard let engine = made[account] else { throw KeychainError(.param, "no account") }
            return AccountKeychain(
                account: account,
                engine: engine,
                prompts: NoPrompts(),
                rights: PolicyRights(),
                log: NoLog()
            )
        }
    }

    init() throws { try self.init(passcode: nil) }

    private func useAll() throws {
        for account in Self.accounts { _ = try keychains.keychain(of: account) }
    }

    @Test func `are open only up to a limit, however fast they come`() throws {
        try useAll()
        #expect(keychains.counts.open == 6)
        #expect(Set(keychains.opened.keys) == Set(7...12))
    }

    @Test func `are closed down to a smaller number, the latest ones last`() throws {
        try useAll()
        _ = keychains.giveBack()
        #expect(Set(keychains.opened.keys) == Set(9...12))
    }

    @Test func `stay open while somebody has them`() throws {
        let used = try (1...3).map { try keychains.keychain(of: $0) }
        try useAll()
        _ = keychains.giveBack()
        #expect(Set(keychains.opened.keys) == [1, 2, 3, 12])
        withExtendedLifetime(used) {}
    }

    @Test func `stay open while a passcode opened them, beyond the limit`() throws {
        let suite = try Self(passcode: EngineFixture.passcode)
        try suite.useAll()
        _ = suite.keychains.giveBack()
        #expect(suite.keychains.counts.open == Self.accounts.count)
    }

    @Test func `keep their pages only up to a limit, until they are used again`() throws {
        let suite = try Self(passcode: EngineFixture.passcode)
        try suite.useAll()
        _ = suite.keychains.giveBack()
        #expect(suite.keychains.counts.warm == 2)
        _ = try suite.keychains.keychain(of: 1)
        #expect(suite.keychains.counts.warm == 3)
    }
}
