import Cryptography
import Foundation
import KeychainMigration
import KeychainServices
import TestSupport
import Testing

@Suite struct `A migration of several versions` {
    let phone: Phone
    let journal = InMemoryJournal()
    let source = MapSource(["a": "alpha", "b": "beta", "c": "gamma"])

    init() throws { phone = try Phone() }

    private func step(_ version: Int, _ keys: [String]) -> MigrationStep {
        let moves = keys.map { Move($0, from: source, to: .token($0)) }
        return MigrationStep(to: version, "step \(version)", [ValueMoves(moves)])
    }

    private func chain(
        _ steps: [MigrationStep]? = nil,
        keychain: any Keychain = ServicesKeychain()
    ) -> MigrationChain {
        MigrationChain(
            service: "com.example.app",
            steps: steps ?? [step(3, ["c"]), step(1, ["a"]), step(2, ["b"])],
            mover: Mover(keychain: keychain, journal: journal),
            protectedData: phone.protectedData
        )
    }

    private func run(_ chain: MigrationChain) async -> MigrationResult {
        await phone.app.run { await chain.run() }
    }

    @Test(.requirement("MIG-12"))
    func `runs every missing step in order`() async throws {
        let result = await run(chain())
        #expect(result.state == .migrated(from: 0, to: 3))
        #expect(result.report.lines.map(\.what) == ["a", "b", "c"])
    }

    @Test(.requirement("MIG-12"), arguments: [(0, 3), (1, 2), (2, 1)])
    func `goes on from whatever version the user comes from`(start: Int, count: Int) async throws {
        let chain = chain()
        try phone.app.run {
            guard start > 0 else { return }
            try ServicesKeychain().add(chain.versionAddress, String(start))
        }
        let result = await run(chain)
        #expect(result.state == .migrated(from: start, to: 3))
        #expect(result.report.lines.count == count)
    }

    @Test(.requirement("MIG-11"))
    func `keeps its version in the keychain, where a reinstallation finds it`() async throws {
        let chain = chain()
        #expect(await run(chain).state == .migrated(from: 0, to: 3))
        try phone.app.run { () throws in
            #expect(try ServicesKeychain().text(chain.versionAddress) == "3")
        }
        let defaults = phone.app.defaults.dictionaryRepresentation().keys
        #expect(!defaults.contains("migration.version"))
        phone.device.uninstall(phone.app)
        let again = phone.device.install(phone.app.manifest)
        #expect(await again.run { await chain.run() }.state == .upToDate)
    }

    @Test(.requirement("MIG-13"), .contradiction("failing-migration-step"))
    func `does not advance past a step of which a key failed`() async throws {
        let keychain = InMemoryKeychain()
        keychain.fail(.token("a2"), with: -25291)
        source["a2"] = "alpha2"
        let steps = [step(1, ["a", "a2"]), step(2, ["b"])]
        let chain = chain(steps, keychain: keychain)
        let result = await run(chain)
        #expect(result.state == .failed(.incomplete(step: "step 1")))
        #expect(try chain.storedVersion() == 0)
        #expect(source.all == ["a2": "alpha2", "b": "beta", "c": "gamma"])
        keychain.fail(.token("a2"), with: nil)
        #expect(await run(chain).state == .migrated(from: 0, to: 2))
        #expect(source.all == ["c": "gamma"])
    }

    @Test func `advances after each step that is whole`() async throws {
        let keychain = InMemoryKeychain()
        keychain.fail(.token("b"), with: -25291)
        let chain = chain(keychain: keychain)
        #expect(await run(chain).state == .failed(.incomplete(step: "step 2")))
        #expect(try chain.storedVersion() == 1)
        keychain.fail(.token("b"), with: nil)
        #expect(await run(chain).state == .migrated(from: 1, to: 3))
    }

    @Test(.requirement("MIG-14"))
    func `says whether it is up to date, migrated, deferred or failed`() async throws {
        let chain = chain()
        phone.device.lock()
        #expect(await run(chain).state == .deferred(reason: "protected data is unavailable"))
        try phone.unlock()
        #expect(await run(chain).state == .migrated(from: 0, to: 3))
        #expect(await run(chain).state == .upToDate)
        let older = self.chain([step(1, ["a"])])
        #expect(await run(older).state == .failed(.newerVersion(3)))
    }

    @Test func `takes nothing for a version that is none`() async throws {
        let chain = chain()
        try phone.app.run { try ServicesKeychain().add(chain.versionAddress, "three") }
        #expect(await run(chain).state == .failed(.unreadableVersion))
        #expect(source.reads == 0)
    }

    @Test(.requirement("MIG-15"))
    func `reads nothing old once it is complete`() async throws {
        #expect(await run(chain()).state == .migrated(from: 0, to: 3))
        let reads = source.reads
        #expect(await run(chain()).state == .upToDate)
        #expect(source.reads == reads)
    }

    @Test(.requirement("MIG-42"), arguments: [0x11, 0x22, 0x33, 0x44, 0x55] as [UInt64])
    func `gives the same result in one step as in many`(seed: UInt64) async throws {
        var random = SeededNumbers(seed: seed)
        var values: [String: String] = [:]
        for _ in 0..<12 { values[random.text()] = random.text() }
        let keys = values.keys.sorted().shuffled(using: &random)
        let cuts = [4, 8]
        let parts = [keys[..<cuts[0]], keys[cuts[0]..<cuts[1]], keys[cuts[1]...]]
        func result(_ groups: [[String]]) async -> [String] {
            let keychain = InMemoryKeychain()
            let source = MapSource(values)
            let steps = groups.enumerated().map { index, keys in
                let moves = keys.map { Move($0, from: source, to: .token($0)) }
                let version = groups.count == 1 ? 3 : index + 1
                return MigrationStep(to: version, "step", [ValueMoves(moves)])
            }
            let result = await run(chain(steps, keychain: keychain))
            #expect(result.state == .migrated(from: 0, to: 3), "seed \(seed)")
            #expect(source.all.isEmpty)
            return keychain.items
                .filter { $0.address.text(.account) != "migration.date" }
                .map { "\($0.address) \($0.value?.text ?? "") \($0.accessibility?.rawValue ?? "")" }
                .sorted()
        }
        let many = await result(parts.map(Array.init))
        let one = await result([keys])
        #expect(many == one, "seed \(seed)")
        #expect(many.count == values.count + 1)
    }

    @Test(.requirement("MIG-48"))
    func `plans without touching anything`() async throws {
        let chain = chain()
        let result = await phone.app.run { await chain.run(isDryRun: true) }
        #expect(result.state == .planned(from: 0, to: 3))
        #expect(result.report.outcomes == Array(repeating: .planned("move"), count: 3))
        #expect(source.all.count == 3)
        #expect(journal.history.isEmpty)
        try phone.app.run { () throws in
            #expect(try ServicesKeychain().list(.everything).isEmpty)
        }
    }
}

@Suite struct `A migration while the device is closed` {
    let phone: Phone
    let journal = InMemoryJournal()

    init() throws { phone = try Phone() }

    private func chain(_ source: MapSource) -> MigrationChain {
        MigrationChain.tokens(source, Mover(journal: journal), phone.protectedData)
    }

    @Test(.requirement("MIG-08", "MIG-09"))
    func `concludes nothing from empty defaults of a prewarmed launch`() async throws {
        let source = MapSource(["token": "old"], isOpen: phone.isOpen)
        try phone.app.run { try ServicesKeychain().add(.token("other"), "kept") }
        phone.device.reboot()
        let early = await phone.app.run(.background) { await chain(source).run() }
        #expect(early.state == .deferred(reason: "protected data is unavailable"))
        #expect(source.reads == 0)
        #expect(journal.history.isEmpty)
        try phone.unlock()
        let late = await phone.app.run { await chain(source).run() }
        #expect(late.state == .migrated(from: 0, to: 1))
        try phone.app.run { () throws in
            #expect(try ServicesKeychain().text(.token()) == "old")
            #expect(try ServicesKeychain().text(.token("other")) == "kept")
        }
    }

    @Test(.requirement("MIG-07"), arguments: [true, false])
    func `takes a missing value for migrated only when it can be believed`(isLocked: Bool) throws {
        let source = MapSource([:], isOpen: phone.isOpen)
        if isLocked { phone.device.lock() }
        let report = phone.app.run {
            Mover(journal: journal).run([Move("token", from: source, to: .token())])
        }
        let expected: MoveOutcome =
            isLocked ? .deferred("protected data is unavailable") : .nothingThere
        #expect(report.outcomes == [expected])
    }

    @Test(.requirement("MIG-08"))
    func `runs once after the unlocking`() async throws {
        let source = MapSource(["token": "old"], isOpen: phone.isOpen)
        phone.device.reboot()
        let chain = chain(source)
        let waiting = phone.app.run {
            Task { try await chain.runWhenAvailable() }
        }
        try phone.unlock()
        #expect(try await waiting.value.state == .migrated(from: 0, to: 1))
        phone.device.lock()
        try phone.unlock()
        #expect(await phone.app.run { await chain.run() }.state == .upToDate)
        #expect(journal.history.map(\.stage) == [.writing, .verified, .done])
    }

    /// An operation that looks for an item first.
    enum Seeker: CaseIterable {
        case transfer, accessibilityChange

        var operation: any MigrationOperation {
            let old = ItemAddress.token(service: "old")
            return switch self {
            case .transfer: ItemTransfer([.init(from: old, to: KeychainItem(at: .token()))])
            case .accessibilityChange: AccessibilityChange(of: [old])
            }
        }
    }

    @Test(.requirement("MIG-19"), arguments: Seeker.allCases)
    func `does not take a locked item for an absent one`(seeker: Seeker) async throws {
        try phone.app.run {
            let keychain = ServicesKeychain()
            try keychain.add(.token(service: "old"), "secret", accessibility: .whenUnlocked)
        }
        phone.device.lock()
        // A program that does not ask first.
        let chain = MigrationChain(
            service: "com.example.app",
            steps: [MigrationStep(to: 1, "step", [seeker.operation])],
            mover: Mover(journal: journal),
            protectedData: AlwaysAvailable()
        )
        let result = await phone.app.run { await chain.run() }
        #expect(result.state == .deferred(reason: "the keychain is locked"))
        try phone.app.run { () throws in #expect(try chain.storedVersion() == 0) }
        try phone.unlock()
        try phone.app.run { () throws in
            #expect(try ServicesKeychain().text(.token(service: "old")) == "secret")
        }
    }
}
