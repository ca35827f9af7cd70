import EngineTestSupport
import Glibc
import KeychainHost
import KeychainModel
import ModelTestSupport
import TestSupport
import Testing

@testable import KeychainEngine

/// A copy of a keychain as the program of its version left it; see `Fixtures/freeze.sh`.
private struct FrozenKeychain {
    /// Those with items of every class; others are in the tests of what came after them.
    static let versions = [1, 2, 3, 4, 9]

    let home: TestHome
    private static let names = ["keybag", "secure-element", "keychain.db"]
    private static let passcode = "1234"

    let version: Int

    init(version: Int) throws {
        self.version = version
        home = try TestHome()
        try require(mkdir(home.directory, 0o700) == 0, home.directory)
        let tests = String(#filePath.dropLast("Engine/FrozenKeychainTests.swift".count))
        for file in Self.names {
            let path = home.directory + "/" + file
            try require(FileFacts.make(path), path)
            let frozen = try home.read(tests + "Fixtures/version-\(version)/" + file)
            try home.write(frozen, to: path)
        }
    }

    var storeVersion: Int64 {
        get throws {
            try SQLiteConnection(opening: home.home.database).number("PRAGMA user_version")
        }
    }

    /// What was frozen, as it is now.
    var files: [[UInt8]] {
        get throws {
            try Self.names.map { try home.read(home.directory + "/" + $0) }
        }
    }

    /// Opens it as a process of its own would, for the program that made it.
    func open() throws -> TestKeychain { try home.open(["keychain"]) }

    func unlocked() throws -> TestKeychain {
        let keychain = try open()
        try keychain.endpoint.engine.unlock(passcode: EngineFixture.secret(Self.passcode))
        return keychain
    }

    /// The keychain for a program in front of who knows the passcode.
    func attended(_ keychain: TestKeychain) -> TestKeychain {
        TestKeychain(
            EngineEndpoint(
                engine: keychain.endpoint.engine,
                caller: keychain.endpoint.caller,
                prompter: OwnerPrompter(passcode: { EngineFixture.secret(Self.passcode) }),
                note: { _ in }
            )
        )
    }
}

/// One at a time: copies of one keychain have one name for their sessions, and end each other's.
@Suite(.serialized) struct `A keychain of an earlier version` {
    /// The generic passwords.
    private static let passwords = [
        "unlocked", "here", "after", "later", "always", "ever", "needs", "synced",
    ]

    /// Those that are readable before the first unlock.
    private static let alwaysReadable: Set = ["always", "ever"]

    private static func item(_ account: String) -> AttributeDictionary {
        password(account, [.synchronizable: .string(.synchronizableAny)])
    }

    private static let web: AttributeDictionary = [
        .itemClass: .string(.internetPassword), .server: .string("example.com"),
        .account: .string("web"),
        .port: .number(8443), .path: .string("/login"),
    ]
    private static let sessionKey: AttributeDictionary = [
        .itemClass: .string(.key), .applicationTag: .data(Array("session".utf8)),
    ]

    private func expectPasswords(in keychain: TestKeychain) {
        let readings = Self.passwords.map { keychain.read(Self.item($0)) }
        #expect(readings == Self.passwords.map { .value("value of " + $0) })
    }

    /// Everything that was frozen is there.
    private func expectAll(_ frozen: FrozenKeychain, in keychain: TestKeychain) throws {
        expectPasswords(in: keychain)
        #expect(keychain.read(password("gated")) == .notAllowed)
        let attended = frozen.attended(keychain)
        #expect(attended.read(password("gated")) == .value("value of gated"))
        #expect(keychain.read(password("gone")) == .notFound)
        #expect(keychain.read(Self.web) == .value("value of web"))
        #expect(keychain.read(Self.sessionKey) == .value("0123456789abcdef"))
        let counts = [String.certificate, .key, .identity].map { itemClass in
            keychain.attributes([.itemClass: .string(itemClass)]).count
        }
        // Since version 9 there are two pairs of the secure element, too.
        #expect(counts == [2, frozen.version < 9 ? 4 : 8, 1])
        let label = keychain.attributes(password(nil, [.label: .string("A label")]))
        #expect(label.count == 1)
        #expect(try keychain.endpoint.engine.faults() == [])
    }

    @Test(.requirement("OPS-08"), arguments: FrozenKeychain.versions)
    func `is closed as it was until it is unlocked`(version: Int) throws {
        let frozen = try FrozenKeychain(version: version)
        let keychain = try frozen.open()
        let expected: [Reading] = Self.passwords.map { account in
            Self.alwaysReadable.contains(account) ? .value("value of " + account) : .notAllowed
        }
        #expect(Self.passwords.map { keychain.read(Self.item($0)) } == expected)
        let engine = keychain.endpoint.engine
        #expect(throws: KeychainError.self) {
            try engine.unlock(passcode: EngineFixture.secret("4321"))
        }
        #expect(try frozen.storeVersion == StoreSchema.version)
    }

    @Test(.requirement("OPS-08"), arguments: FrozenKeychain.versions)
    func `is migrated when it is opened, with every item of every class`(version: Int) throws {
        let frozen = try FrozenKeychain(version: version)
        #expect(try frozen.storeVersion == version)
        #expect(try frozen.home.read(frozen.home.home.keybag)[9] == (version < 9 ? 1 : 2))
        try expectAll(frozen, in: frozen.unlocked())
        #expect(try frozen.storeVersion == StoreSchema.version)
        #expect(try frozen.home.read(frozen.home.home.keybag)[9] == 2)
        try expectAll(frozen, in: frozen.open())
    }

    @Test(.requirement("OPS-08"), arguments: FrozenKeychain.versions)
    func `takes adds, updates and deletes in every class`(version: Int) throws {
        let frozen = try FrozenKeychain(version: version)
        let keychain = try frozen.unlocked()
        #expect(keychain.add(password("unlocked")) == .duplicateItem)
        #expect(keychain.add(password("new")) == .success)
        let items = [Self.item("after"), Self.web, Self.sessionKey]
        #expect(items.map { keychain.update($0, "updated") } == [.success, .success, .success])
        let updated = Reading.value("updated")
        #expect(items.map(keychain.read) == [updated, updated, updated])
        let classes = ItemClass.stored.map { itemClass in
            AttributeDictionary.of(itemClass, [.synchronizable: .string(.synchronizableAny)])
        }
        #expect(classes.map { keychain.delete($0) } == classes.map { _ in .success })
        #expect(classes.flatMap { keychain.attributes($0) }.isEmpty)
        #expect(try keychain.endpoint.engine.faults() == [])
        #expect(keychain.add(password("ada")) == .success)
        #expect(try frozen.open().read(password("ada")) == .value("open sesame"))
    }

    @Test(.requirement("OPS-08", "LCK-07"), arguments: FrozenKeychain.versions)
    func `keeps everything when its passcode changes`(version: Int) throws {
        let frozen = try FrozenKeychain(version: version)
        let keychain = try frozen.unlocked()
        let engine = keychain.endpoint.engine
        try engine.setPasscode(EngineFixture.secret("5678"), current: EngineFixture.secret("1234"))
        expectPasswords(in: keychain)
        #expect(keychain.read(Self.web) == .value("value of web"))
        #expect(keychain.read(Self.sessionKey) == .value("0123456789abcdef"))
        #expect(try engine.faults() == [])
        #expect(try frozen.storeVersion == StoreSchema.version)
    }

    @Test(.requirement("OPS-08"), arguments: FrozenKeychain.versions)
    func `that a newer program took over is refused, and nothing changes`(version: Int) throws {
        let frozen = try FrozenKeychain(version: version)
        let path = frozen.home.home.database
        let newer = StoreSchema.version + 1
        try SQLiteConnection(opening: path).execute("PRAGMA user_version = \(newer)")
        let before = try frozen.files
        let refusal = try #require(frozen.home.refusal())
        #expect(refusal.status == .notAvailable)
        #expect(refusal.reason.contains("newer"), "\(refusal)")
        #expect(try frozen.files == before)
    }
}
