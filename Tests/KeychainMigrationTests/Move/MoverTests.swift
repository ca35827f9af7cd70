import Foundation
import KeychainMigration
import MigrationTestSupport
import TestSupport
import Testing

/// Notes the order in which a mover touches things.
///
/// `@unchecked Sendable`: every access to the steps holds the lock.
private final class Trace: @unchecked Sendable {
    private let lock = NSLock()
    private var steps: [String] = []
    var all: [String] { lock.withLock { steps } }
    func note(_ step: String) { lock.withLock { steps.append(step) } }
}

private struct TracedSource: LegacySource {
    let base: MapSource
    let trace: Trace
    var name: String { base.name }
    var trust: SourceTrust { base.trust }
    func read(_ key: String) throws(SourceFailure) -> LegacyValue? {
        trace.note("read \(key)")
        return try base.read(key)
    }
    func delete(_ key: String) throws(SourceFailure) {
        trace.note("delete \(key)")
        try base.delete(key)
    }
}

private struct TracedKeychain: ForwardingKeychain {
    let base: InMemoryKeychain
    let trace: Trace
    func read(_ address: ItemAddress) throws(KeychainFailure) -> KeychainItem? {
        trace.note("look up \(address.text(.account) ?? "")")
        return try base.read(address)
    }
    func add(_ item: KeychainItem) throws(KeychainFailure) {
        trace.note("write \(item.address.text(.account) ?? "")")
        try base.add(item)
    }
    func update(_ address: ItemAddress, _ change: ItemChange) throws(KeychainFailure) {
        trace.note("update \(address.text(.account) ?? "")")
        try base.update(address, change)
    }
}

@Suite struct `A mover` {
    let keychain = InMemoryKeychain()
    let journal = InMemoryJournal()
    let source = MapSource(["a": "alpha", "b": "beta", "c": "gamma"])

    private func moves(_ keys: [String] = ["a", "b", "c"]) -> [Move] {
        keys.map { Move($0, from: source, to: .token($0)) }
    }

    private var mover: Mover { Mover(keychain: keychain, journal: journal) }

    @Test(.requirement("MIG-02"))
    func `reads, writes, reads back and only then deletes, key by key`() {
        let trace = Trace()
        let mover = Mover(
            keychain: TracedKeychain(base: keychain, trace: trace),
            journal: journal
        )
        let traced = TracedSource(base: source, trace: trace)
        let report = mover.run(["a", "b"].map { Move($0, from: traced, to: .token($0)) })
        #expect(report.outcomes == [.moved, .moved])
        // Read once more before the deletion: nothing newer goes with it.
        let each = ["read", "look up", "write", "look up", "read", "delete"]
        #expect(trace.all == ["a", "b"].flatMap { key in each.map { "\($0) \(key)" } })
    }

    @Test(.requirement("MIG-03"), arguments: [-25308, -34018, -25291] as [Int32])
    func `leaves a key that fails where it was and says so`(status: Int32) throws {
        keychain.fail(.token("b"), with: status)
        let report = mover.run(moves())
        #expect(source.all == ["b": "beta"])
        #expect(report.problems.map(\.what) == ["b"])
        #expect(!report.isComplete)
        #expect(try keychain.text(.token("a")) == "alpha")
    }

    @Test(.requirement("MIG-04"))
    func `calls a value that reads back differently a failure and keeps the old one`() {
        keychain.corruptReads { SecretBytes($0.text + "?") }
        let report = mover.run(moves(["a"]))
        #expect(report.outcomes == [.failed(.verificationMismatch)])
        #expect(source["a"] == "alpha")
    }

    @Test(.requirement("MIG-05"))
    func `does nothing the second time, and after a failure only the rest`() {
        keychain.fail(.token("b"), with: -25291)
        #expect(mover.run(moves()).lines.filter { $0.outcome == .moved }.count == 2)
        keychain.fail(.token("b"), with: nil)
        keychain.removeCalls()
        let second = mover.run(moves())
        #expect(second.outcomes == [.alreadyThere, .moved, .alreadyThere])
        #expect(keychain.calls.filter { $0 == .add }.count == 1)
        keychain.removeCalls()
        let entries = journal.history.count
        #expect(mover.run(moves()).outcomes.allSatisfy { $0 == .alreadyThere })
        #expect(keychain.calls.allSatisfy { $0 == .read })
        #expect(journal.history.count == entries)
    }

    @Test func `reports another value in the keychain and touches neither`() throws {
        try keychain.add(.token("a"), "newer")
        let report = mover.run(moves(["a"]))
        #expect(report.outcomes == [.conflict])
        #expect(!report.isComplete)
        #expect(source["a"] == "alpha")
        #expect(try keychain.text(.token("a")) == "newer")
    }

    @Test(arguments: [(ConflictPolicy.keepStored, "newer"), (.replaceStored, "alpha")])
    func `lets one of two values win if it is told which`(
        policy: ConflictPolicy,
        winner: String
    ) throws {
        try keychain.add(.token("a"), "newer", label: "Token")
        let move = Move("a", from: source, to: .token("a"), conflict: policy)
        #expect(mover.run([move]).outcomes == [.moved])
        #expect(source["a"] == nil)
        #expect(try keychain.text(.token("a")) == winner)
        let item = try #require(try keychain.read(.token("a")))
        #expect(item.attributes[.label] == "Token")
    }

    @Test func `gives an item with the same value what it lacks and loses nothing`() throws {
        try keychain.add(.token("a"), "alpha", accessibility: .whenUnlocked, label: "Token")
        var target = KeychainItem(at: .token("a"))
        target.attributes[.comment] = "moved"
        #expect(mover.run([Move("a", from: source, to: target)]).outcomes == [.moved])
        let item = try #require(try keychain.read(.token("a")))
        #expect(item.accessibility == .afterFirstUnlockThisDeviceOnly)
        #expect(item.attributes[.label] == "Token")
        #expect(item.attributes[.comment] == "moved")
    }

    @Test func `stores what a transformation makes of the old value`() throws {
        let move = Move("a", from: source, to: .token("a"), transform: { Data($0.reversed()) })
        #expect(mover.run([move]).outcomes == [.moved])
        #expect(try keychain.text(.token("a")) == "ahpla")
    }

    @Test func `keeps a value that cannot be transformed`() {
        struct Quote: Error { let value: String }
        let move = Move("a", from: source, to: .token("a")) { throw Quote(value: "\($0)") }
        let report = mover.run([move])
        #expect(report.problems.count == 1)
        #expect(report.needsFreshLogin)
        #expect(source["a"] == "alpha")
    }

    @Test func `does not delete what came into the old store meanwhile`() throws {
        let source = source
        let injector = CrashInjector { source["a"] = "newer" }
        let mover = Mover(keychain: CrashingKeychain(keychain, injector), journal: journal)
        let report = mover.run(moves(["a"]))
        #expect(report.outcomes == [.failed(.source(SourceFailure(.changed, "old")))])
        #expect(source["a"] == "newer")
        #expect(try keychain.text(.token("a")) == "alpha")
        #expect(self.mover.run(moves(["a"])).outcomes == [.conflict])
    }

    @Test func `tells its progress value by value`() {
        var told: [String] = []
        _ = mover.run(moves()) { line, done, total in
            told.append("\(line.what) \(done)/\(total)")
        }
        #expect(told == ["a 1/3", "b 2/3", "c 3/3"])
    }

    @Test func `touches nothing while the journal is damaged`() throws {
        let place = try Place()
        try place.write("nonsense\n{}\n", to: "journal")
        let mover = Mover(
            keychain: keychain,
            journal: FileJournal(file: place.file("journal"))
        )
        let report = mover.run(moves(["a"]))
        #expect(report.outcomes == [.failed(.journal(.damaged(line: 1)))])
        #expect(keychain.calls.isEmpty)
        #expect(source.reads == 0)
    }

    @Test func `says that a value is lost which was moved once and is nowhere now`() throws {
        let mover = Mover(
            keychain: keychain,
            journal: journal,
            retention: .keepPlaintext(days: 30)
        )
        #expect(mover.run(moves(["a"])).outcomes == [.movedKeepingOriginal])
        try keychain.delete(.token("a"))
        source["a"] = nil
        let report = mover.run(moves(["a"]))
        #expect(report.outcomes == [.lost])
        #expect(!report.isComplete)
        #expect(mover.run(moves(["a"])).outcomes == [.nothingThere])
    }
}

@Suite struct `A migrated secret` {
    @Test(.requirement("MIG-10", "ACC-35"))
    func `is AfterFirstUnlockThisDeviceOnly unless told otherwise`() throws {
        let phone = try Phone()
        let source = MapSource(["a": "alpha", "b": "beta"])
        let keychain = ServicesKeychain()
        try phone.app.run { () throws in
            let report = Mover(journal: InMemoryJournal()).run([
                Move("a", from: source, to: .token("a")),
                Move("b", from: source, to: .token("b"), accessibility: .whenUnlocked),
            ])
            #expect(report.isComplete)
            let found = try ["a", "b"].map { try keychain.read(.token($0))?.accessibility }
            #expect(found == [.afterFirstUnlockThisDeviceOnly, .whenUnlocked])
        }
        #expect(ItemAccessibility.standard == .afterFirstUnlockThisDeviceOnly)
    }

    @Test(.requirement("MIG-45"))
    func `appears in no report, error, journal or description`() throws {
        let place = try Place()
        let secret = "hunter2-hunter2"
        let keychain = InMemoryKeychain()
        let journal = FileJournal(file: place.file("journal"))
        let rollback = RollbackStore(folder: place.file("copies"), keychain: keychain)
        let mover = Mover(
            keychain: keychain,
            journal: journal,
            retention: .encryptedRollback(days: 3),
            rollback: rollback
        )
        struct Quote: Error { let value: String }
        let source = MapSource(["a": secret, "b": secret, "c": secret, "d": secret])
        keychain.fail(.token("b"), with: -25291)
        try keychain.add(.token("c"), "other " + secret)
        let report = mover.run([
            Move("a", from: source, to: .token("a")),
            Move("b", from: source, to: .token("b")),
            Move("c", from: source, to: .token("c")),
            Move("d", from: source, to: .token("d")) { throw Quote(value: "\($0) \(secret)") },
        ])
        #expect(Set(report.outcomes).count == 4)
        var texts = [report.description, "\(report)", String(reflecting: report)]
        texts.append(String(decoding: try JSONEncoder().encode(report), as: UTF8.self))
        texts.append(String(decoding: try Data(contentsOf: journal.file), as: UTF8.self))
        let item = try #require(try keychain.read(.token("c")))
        var dumped = ""
        dump(item, to: &dumped)
        texts += [dumped, "\(item)", String(reflecting: item)]
        texts += try place.snapshot().values.map { String(decoding: $0, as: UTF8.self) }
        let base64 = Data(secret.utf8).base64EncodedString()
        #expect(!texts.contains { $0.contains("hunter2") || $0.contains(base64) })
    }
}
