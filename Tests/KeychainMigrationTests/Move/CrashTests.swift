import Foundation
import KeychainMigration
import KeychainServices
import MigrationTestSupport
import TestSupport
import Testing

/// A migration that can be killed, of three values out of one old store.
private struct MoveFixture {
    let keys = ["a", "b", "c"]
    let base: any Keychain
    let source: any LegacySource
    let place: Place
    let retention: LegacyRetention

    static let secrets = ["a": "alpha", "b": "beta", "c": "gamma"]

    func run(_ injector: CrashInjector) -> MigrationReport {
        let keychain = CrashingKeychain(base, injector)
        let mover = Mover(
            keychain: keychain,
            journal: CrashingJournal(FileJournal(file: place.file("journal")), injector),
            retention: retention,
            rollback: RollbackStore(folder: place.file("copies"), keychain: keychain)
        )
        let source = CrashingSource(self.source, injector)
        return mover.run(keys.map { Move($0, from: source, to: .token($0)) })
    }

    /// Where a secret is now, with its right value.
    func places(of key: String) -> [String] {
        let old = (try? source.read(key))?.map(\.secret.text)
        let new = try? base.text(.token(key))
        return (old == Self.secrets[key] ? ["old"] : []) + (new == Self.secrets[key] ? ["new"] : [])
    }

    var isWhole: Bool { keys.allSatisfy { !places(of: $0).isEmpty } }
}

/// ★ Every kind of old store, filled with the fixture's three secrets.
enum OldStore: String, CaseIterable, Sendable {
    case memory, defaults, xmlList, binaryList, json, files, archive, keychain

    func make(in place: Place, suite: Suite, keychain: any Keychain) throws -> any LegacySource {
        let secrets = ["a": "alpha", "b": "beta", "c": "gamma"]
        switch self {
        case .memory: return MapSource(secrets)
        case .defaults:
            for (key, value) in secrets { suite.defaults.set(value, forKey: key) }
            return DefaultsSource(suite.defaults, name: "defaults")
        case .xmlList:
            return PropertyListSource(file: PlainFile(try place.writeList(secrets, to: "l", .xml)))
        case .binaryList:
            return PropertyListSource(file: PlainFile(try place.writeList(secrets, to: "l")))
        case .json:
            let bytes = try JSONSerialization.data(withJSONObject: secrets)
            return JSONSource(file: PlainFile(try place.write(bytes, to: "l.json")))
        case .files:
            for (key, value) in secrets { try place.write(value, to: key) }
            return FileSource(folder: place.folder)
        case .archive:
            let root = secrets as NSDictionary
            return KeyedArchiveSource(file: try place.write(Session.archive(root), to: "l.archive"))
        case .keychain:
            return try Self.items(secrets, in: keychain)
        }
    }

    /// Items of an old service, under the fixture's keys.
    private static func items(
        _ secrets: [String: String],
        in keychain: any Keychain
    ) throws -> any LegacySource {
        for (key, value) in secrets { try keychain.add(.token(key, service: "old"), value) }
        return RenamedKeys(keychain: keychain)
    }
}

/// Items of the service `old`, by account.
private struct RenamedKeys: LegacySource {
    let keychain: any Keychain
    var name: String { "keychain" }
    var trust: SourceTrust { .trusted }

    private func source(_ key: String) -> (KeychainItemSource, String) {
        let address = ItemAddress.token(key, service: "old")
        return (KeychainItemSource([address], in: keychain), address.identifier)
    }

    func read(_ key: String) throws(SourceFailure) -> LegacyValue? {
        let (source, name) = source(key)
        return try source.read(name)
    }

    func delete(_ key: String) throws(SourceFailure) {
        let (source, name) = source(key)
        try source.delete(name)
    }
}

@Suite struct `A migration that is killed` {
    private func fixture(
        _ store: OldStore,
        _ retention: LegacyRetention,
        _ suite: Suite
    ) throws -> MoveFixture {
        let place = try Place()
        let keychain = InMemoryKeychain()
        return MoveFixture(
            base: keychain,
            source: try store.make(in: place, suite: suite, keychain: keychain),
            place: place,
            retention: retention
        )
    }

    /// Runs with a crash after this many effects, then without one; returns whether it crashed.
    private func killAndResume(
        after limit: Int,
        _ store: OldStore,
        _ retention: LegacyRetention
    ) throws -> Bool {
        let suite = Suite()
        let fixture = try fixture(store, retention, suite)
        let injector = CrashInjector(limit: limit) {
            #expect(fixture.isWhole, "a secret is nowhere after effect \(limit)")
        }
        let first = fixture.run(injector)
        #expect(fixture.isWhole, "killed after effect \(limit)")
        let second = fixture.run(CrashInjector { #expect(fixture.isWhole) })
        #expect(second.isComplete, "killed after effect \(limit): \(second)")
        for key in fixture.keys {
            #expect(fixture.places(of: key) == ["new"], "\(key), killed after effect \(limit)")
        }
        return !first.isComplete
    }

    @Test(.requirement("MIG-06", "MIG-05"), arguments: OldStore.allCases)
    func `after any single effect resumes with each secret in one place`(store: OldStore) throws {
        let suite = Suite()
        let whole = CrashInjector()
        #expect(try fixture(store, .deleteAfterVerify, suite).run(whole).isComplete)
        // Per secret: note, write, note, delete, note.
        #expect(whole.count == 15)
        let cut = try (0..<whole.count).filter {
            try killAndResume(after: $0, store, .deleteAfterVerify)
        }
        #expect(cut.count == whole.count)
    }

    @Test(.requirement("MIG-06", "MIG-30"), arguments: [OldStore.memory, .binaryList, .archive])
    func `resumes too where encrypted copies are kept`(store: OldStore) throws {
        let suite = Suite()
        let whole = CrashInjector()
        let retention = LegacyRetention.encryptedRollback(days: 30)
        #expect(try fixture(store, retention, suite).run(whole).isComplete)
        let cut = try (0..<whole.count).filter {
            try killAndResume(after: $0, store, retention)
        }
        #expect(cut.count == whole.count)
    }

    @Test(.requirement("MIG-06"), arguments: 0..<15)
    func `resumes in a real keychain on a phone`(limit: Int) throws {
        let phone = try Phone()
        let place = try Place()
        try phone.app.run {
            let list = try place.writeList(MoveFixture.secrets, to: "l.plist")
            let fixture = MoveFixture(
                base: ServicesKeychain(),
                source: PropertyListSource(file: PlainFile(list)),
                place: place,
                retention: .deleteAfterVerify
            )
            #expect(!fixture.run(CrashInjector(limit: limit)).isComplete)
            #expect(fixture.isWhole)
            #expect(fixture.run(CrashInjector()).isComplete)
            #expect(fixture.keys.map(fixture.places) == [["new"], ["new"], ["new"]])
        }
    }

    @Test(arguments: 1...40)
    func `resumes from a journal whose last line was cut off`(byteCount: Int) throws {
        let suite = Suite()
        let fixture = try fixture(.memory, .deleteAfterVerify, suite)
        #expect(!fixture.run(CrashInjector(limit: 7)).isComplete)
        let file = fixture.place.file("journal")
        let bytes = try Data(contentsOf: file)
        try bytes.dropLast(byteCount).write(to: file)
        #expect(fixture.run(CrashInjector()).isComplete)
        #expect(fixture.keys.map(fixture.places) == [["new"], ["new"], ["new"]])
        #expect(try FileJournal(file: file).entries().values.allSatisfy { $0.stage == .done })
    }
}
