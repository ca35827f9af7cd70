import Foundation
import KeychainMigration
import MigrationTestSupport
import TestSupport
import Testing

@Suite struct `The late clean-up` {
    let keychain = InMemoryKeychain()
    let journal = InMemoryJournal()
    let suite = Suite()
    let place: Place
    let start = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws {
        place = try Place()
        suite.defaults.set("alpha", forKey: "authToken")
        suite.defaults.set("dark", forKey: "theme")
        _ = suite.defaults.synchronize()
        try place.writeList(["token": "beta", "name": "ada"], to: "Credentials.plist")
    }

    private var moves: [Move] {
        let defaults = DefaultsSource(suite.defaults, name: "defaults")
        let list = PropertyListSource(file: PlainFile(place.file("Credentials.plist")))
        return [
            Move("authToken", from: defaults, to: .token("a")),
            Move("token", from: list, to: .token("b")),
        ]
    }

    private func chain(_ retention: LegacyRetention) -> MigrationChain {
        let mover = Mover(
            keychain: keychain,
            journal: journal,
            retention: retention,
            rollback: RollbackStore(folder: place.file("copies"), keychain: keychain)
        )
        return MigrationChain(
            service: "com.example.app",
            steps: [MigrationStep(to: 1, "tokens", [ValueMoves(moves)])],
            mover: mover,
            protectedData: AlwaysAvailable()
        )
    }

    private func after(_ days: Double) -> Date { start.addingTimeInterval(days * 86_400) }

    private var plainTexts: Int {
        let token = suite.defaults.string(forKey: "authToken") == nil ? 0 : 1
        let list = place.bytes("Credentials.plist").map { String(decoding: $0, as: UTF8.self) }
        return token + (list?.contains("beta") ?? false ? 1 : 0)
    }

    @Test(.requirement("MIG-28"))
    func `finds the date that a complete migration wrote`() async throws {
        let chain = chain(.keepPlaintext(days: 30))
        #expect(await DeferredCleanup(after: chain).run(now: start) == .nothingToDo)
        #expect(await chain.run(now: start).state == .migrated(from: 0, to: 1))
        #expect(try keychain.text(chain.dateAddress) == "2027-01-15T08:00:00Z")
        let cleanup = DeferredCleanup(after: chain, leftovers: moves)
        #expect(await cleanup.run(now: start) == .waiting(until: after(30)))
    }

    /// The effects of a complete migration.
    private static let effectCount = 12

    @Test func `has as many effects as the kills below count on`() async {
        let whole = CrashInjector()
        #expect(await run(chain(.deleteAfterVerify), whole).state == .migrated(from: 0, to: 1))
        #expect(whole.count == Self.effectCount)
    }

    @Test(.requirement("MIG-28"), arguments: 0..<effectCount)
    func `finds a date wherever a complete migration was killed`(effects: Int) async throws {
        _ = await run(chain(.deleteAfterVerify), CrashInjector(limit: effects))
        _ = await run(chain(.deleteAfterVerify), CrashInjector())
        let chain = chain(.deleteAfterVerify)
        #expect(try chain.storedVersion() == 1)
        #expect(try keychain.text(chain.dateAddress) != nil)
    }

    private func run(_ chain: MigrationChain, _ injector: CrashInjector) async -> MigrationResult {
        let mover = Mover(
            keychain: CrashingKeychain(keychain, injector),
            journal: CrashingJournal(journal, injector)
        )
        let crashing = moves.map { move in
            Move(move.key, from: CrashingSource(move.source, injector), to: move.target)
        }
        let step = MigrationStep(to: 1, "tokens", [ValueMoves(crashing)])
        return await MigrationChain(
            service: "com.example.app",
            steps: [step],
            mover: mover,
            protectedData: AlwaysAvailable()
        ).run(now: start)
    }

    @Test(.requirement("MIG-27"), arguments: [(29.0, 2), (29.99, 2), (30.0, 0), (400.0, 0)])
    func `removes old values once the days have passed, not before`(
        days: Double,
        left: Int
    ) async throws {
        let chain = chain(.keepPlaintext(days: 30))
        #expect(await chain.run(now: start).state == .migrated(from: 0, to: 1))
        #expect(plainTexts == 2)
        let cleanup = DeferredCleanup(after: chain, leftovers: moves)
        let outcome = await cleanup.run(now: after(days))
        #expect(plainTexts == left)
        guard left == 0 else {
            #expect(outcome == .waiting(until: after(30)))
            return
        }
        guard case .cleaned(let report) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(report.outcomes == [.removed, .removed])
        #expect(report.advice == [MigrationReport.backupAdvice])
        #expect(await cleanup.run(now: after(days)) == .nothingToDo)
        #expect(try keychain.text(.token("a")) == "alpha")
        #expect(suite.defaults.string(forKey: "theme") == "dark")
    }

    @Test(.requirement("MIG-29"))
    func `keeps the flag of the first launch, so that nothing is wiped`() async throws {
        let guardian = FirstLaunchGuard(
            flags: LaunchFlags(suite.defaults, domain: suite.name),
            keychain: keychain,
            protectedData: AlwaysAvailable()
        )
        #expect(await guardian.run() == .upgraded)
        let chain = chain(.keepPlaintext(days: 30))
        _ = await chain.run(now: start)
        _ = await DeferredCleanup(after: chain, leftovers: moves).run(now: after(31))
        #expect(plainTexts == 0)
        #expect(await guardian.run() == .launchedBefore)
        #expect(try keychain.text(.token("a")) == "alpha")
    }

    @Test(
        .requirement("MIG-30"),
        .contradiction("plaintext-retention"),
        arguments: [
            LegacyRetention.deleteAfterVerify, .encryptedRollback(days: 30),
            .keepPlaintext(days: 30),
        ]
    )
    func `is one of three ways to treat old plain text`(retention: LegacyRetention) async throws {
        let chain = chain(retention)
        #expect(await chain.run(now: start).state == .migrated(from: 0, to: 1))
        let isPlain = retention == .keepPlaintext(days: 30)
        #expect(plainTexts == (isPlain ? 2 : 0))
        let hasCopies = retention == .encryptedRollback(days: 30)
        let rollback = RollbackStore(folder: place.file("copies"), keychain: keychain)
        #expect(try rollback.origins().count == (hasCopies ? 2 : 0))
    }

    @Test func `leads back to what was deleted until the copies are removed`() async throws {
        let chain = chain(.encryptedRollback(days: 7))
        _ = await chain.run(now: start)
        let rollback = RollbackStore(folder: place.file("copies"), keychain: keychain)
        let origins = try rollback.origins()
        #expect(origins.map(\.key).sorted() == ["authToken", "token"])
        let values = try origins.map { try rollback.value(of: $0.id)?.text ?? "" }
        #expect(values.sorted() == ["alpha", "beta"])
        let files = try place.snapshot().values.map { String(decoding: $0, as: UTF8.self) }
        #expect(!files.contains { $0.contains("beta") || $0.contains("YmV0YQ") })
        let cleanup = DeferredCleanup(after: chain)
        #expect(await cleanup.run(now: after(6)) == .waiting(until: after(7)))
        guard case .cleaned(let report) = await cleanup.run(now: after(7)) else {
            Issue.record("nothing was cleaned")
            return
        }
        #expect(report.outcomes == [.removed, .removed])
        #expect(try rollback.origins().isEmpty)
        #expect(try keychain.read(rollback.keyAddress) == nil)
        #expect(try keychain.text(.token("b")) == "beta")
    }

    @Test func `cannot open copies without their key, or changed ones`() async throws {
        _ = await chain(.encryptedRollback(days: 7)).run(now: start)
        let rollback = RollbackStore(folder: place.file("copies"), keychain: keychain)
        let origin = try #require(try rollback.origins().first { $0.key == "authToken" })
        let key = try #require(try keychain.read(rollback.keyAddress))
        try keychain.delete(rollback.keyAddress)
        #expect(throws: RollbackFailure.keyMissing) { try rollback.value(of: origin.id) }
        let other = try EnvelopeKey.generate().privateRepresentation
        try keychain.add(KeychainItem(at: rollback.keyAddress, value: other))
        #expect(throws: RollbackFailure.self) { try rollback.value(of: origin.id) }
        try keychain.update(rollback.keyAddress, ItemChange(value: key.value))
        #expect(try rollback.value(of: origin.id)?.text == "alpha")
        try place.write("nonsense", to: "copies/x.rollback")
        #expect(throws: RollbackFailure.unreadable("x.rollback")) { try rollback.origins() }
    }

    @Test func `keeps an old value whose successor is gone`() async throws {
        let chain = chain(.keepPlaintext(days: 30))
        _ = await chain.run(now: start)
        try keychain.delete(.token("a"))
        let outcome = await DeferredCleanup(after: chain, leftovers: moves).run(now: after(31))
        guard case .cleaned(let report) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(report.outcomes == [.kept("the keychain does not have it"), .removed])
        #expect(suite.defaults.string(forKey: "authToken") == "alpha")
    }

    @Test func `waits for protected data`() async throws {
        let phone = try Phone()
        phone.device.lock()
        let chain = MigrationChain(
            service: "com.example.app",
            steps: [],
            mover: Mover(keychain: keychain, journal: journal),
            protectedData: phone.protectedData
        )
        let outcome = await DeferredCleanup(after: chain).run(now: after(99))
        #expect(outcome == .deferred(reason: "protected data is unavailable"))
    }

    @Test func `changes nothing in a dry run`() async throws {
        let chain = chain(.keepPlaintext(days: 30))
        _ = await chain.run(now: start)
        let cleanup = DeferredCleanup(after: chain, leftovers: moves)
        guard case .cleaned(let report) = await cleanup.run(now: after(31), isDryRun: true) else {
            Issue.record("nothing was planned")
            return
        }
        #expect(report.outcomes == [.planned("remove"), .planned("remove")])
        #expect(plainTexts == 2)
    }
}
