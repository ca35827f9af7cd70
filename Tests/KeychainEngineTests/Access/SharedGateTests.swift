import DataProtection
import EngineTestSupport
import Glibc
import KeychainEngine
import KeychainHost
import KeychainModel
import ModelTestSupport
import Secrets
import TestSupport
import Testing

/// Two engines over the same files and the same session: two processes of one boot.
@Suite struct `A gated item that two processes share` {
    private let home: TestHome
    private let first: EngineFixture
    private let second: EngineFixture

    init() throws {
        home = try TestHome()
        let storage = MemoryStorage()
        let session = MemorySession()
        try #require(mkdir(home.directory, 0o700) == 0)
        try home.home.prepareDatabase()
        let database = home.home.database
        func open() throws -> EngineFixture {
            try EngineFixture(
                storage: storage,
                database: database,
                session: session,
                surroundings: Surroundings(biometry: .touchID)
            )
        }
        first = try open()
        second = try open()
        try first.engine.enroll(OwnerPrompter.face)
        try first.unlock()
        #expect(first.attended().add(password().gated(.userPresence), "value") == .success)
    }

    private func evaluate(in fixture: EngineFixture) throws -> ContextReference {
        let context = ContextReference(session: SessionID())
        _ = try fixture.attended().endpoint.send(
            .authenticate(.evaluate(.factor(.biometry), context))
        )
        return context
    }

    private func status(
        in fixture: EngineFixture,
        _ context: ContextReference
    ) -> SecurityStatus {
        var query = password()
        query[.returnData] = .bool(true)
        query[.useAuthenticationContext] = .authentication(context)
        return fixture.keychain.status(.copyMatching(query))
    }

    @Test func `opens in the one that nobody unlocked, for a finger`() throws {
        #expect(second.keychain.read(password()) == .notAllowed)
        #expect(second.attended().read(password()) == .value("value"))
        #expect(second.attended().update(password(), "new") == .success)
        #expect(first.attended().read(password()) == .value("new"))
    }

    @Test func `is proven for a context in its own process alone`() throws {
        let context = try evaluate(in: first)
        #expect(status(in: first, context) == .success)
        #expect(status(in: second, context) == .interactionNotAllowed)
    }

    @Test func `is shut again for both when one locks`() throws {
        let context = try evaluate(in: second)
        #expect(status(in: second, context) == .success)
        try first.engine.lock()
        #expect(second.attended().read(password()) == .notAllowed)
        try first.unlock()
        #expect(status(in: second, context) == .interactionNotAllowed)
        #expect(second.attended().read(password()) == .value("value"))
    }

    @Test func `knows of fingers that the other enrolled, and of its failures`() throws {
        let current = password("current").gated(.biometryCurrentSet)
        #expect(second.attended().add(current, "bound") == .success)
        try first.engine.enroll([7])
        #expect(second.attended().read(password("current")).status == .authFailed)
        for _ in 1...5 {
            #expect(throws: KeychainError.self) { try first.engine.unlock(presenting: [9]) }
        }
        #expect(throws: KeychainError.self) {
            try second.engine.unlock(presenting: OwnerPrompter.face)
        }
        // The passcode is still a way, and ends the lockout.
        #expect(second.attended().read(password()) == .value("value"))
        try first.engine.unlock(presenting: OwnerPrompter.face)
    }

    @Test func `is shut for good in both when one removes the passcode`() throws {
        let context = try evaluate(in: second)
        try first.engine.removePasscode(current: EngineFixture.secret(EngineFixture.passcode))
        #expect(second.attended().read(password()).status == .authFailed)
        #expect(first.attended().read(password()).status == .authFailed)
        try first.engine.setPasscode(
            EngineFixture.secret(EngineFixture.passcode),
            current: nil
        )
        #expect(second.attended().read(password()).status == .authFailed)
        #expect(status(in: second, context) != .success)
    }
}
