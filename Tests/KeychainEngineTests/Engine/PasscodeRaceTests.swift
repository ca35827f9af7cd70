import Cryptography
import DataProtection
import EngineTestSupport
import Glibc
import KeychainHost
import KeychainModel
import ModelTestSupport
import Synchronization
import TestSupport
import Testing

@testable import KeychainEngine

/// Acts before a passcode is stretched for so many times.
private final class StretchingHook: Sendable {
    private let plan = Mutex<(left: Int, act: @Sendable () -> Void)?>(nil)

    func set(_ count: Int, _ act: @escaping @Sendable () -> Void) {
        plan.withLock { $0 = (count, act) }
    }

    func pass() {
        let due = plan.withLock { plan -> (@Sendable () -> Void)? in
            guard let found = plan else { return nil }
            plan = found.left > 1 ? (left: found.left - 1, act: found.act) : nil
            return found.left > 1 ? nil : found.act
        }
        due?()
    }
}

/// Two processes of one keychain, the second of which acts while the first sets a passcode.
private final class Race: Sendable {
    private static let former = "1234"

    let first: EngineFixture
    let second: EngineFixture
    private let storage = ActingStorage()
    private let hook = StretchingHook()
    private let session = MemorySession()
    private let database: String
    private let isSet: Bool
    private let wasDone = Mutex<Bool?>(nil)

    init(_ home: TestHome, isSet: Bool = true) throws {
        try home.home.prepareDatabase()
        database = home.home.database
        self.isSet = isSet
        let passcode = isSet ? Self.former : nil
        second = try EngineFixture(
            storage: storage.base,
            database: database,
            session: session,
            passcode: passcode,
            waits: StoreWaits(busy: 20, brief: 10)
        )
        let hook = hook
        first = try EngineFixture(
            storage: storage,
            database: database,
            session: session,
            passcode: passcode,
            stretching: { hook.pass() }
        )
        if let passcode { for one in [first, second] { try one.unlock(passcode) } }
    }

    /// Has the first one set a passcode, and the second one act when its stretching is over.
    ///
    /// - Returns: Whether the first one did it, and whether the second one did.
    func run(
        _ moment: ActingStorage.Moment,
        _ act: @escaping @Sendable (EngineFixture) throws -> Void
    ) throws -> (first: Bool, second: Bool) {
        // The new passcode is stretched after the present one.
        hook.set(isSet ? 2 : 1) { [self] in
            storage.arm(moment) { [self] in
                let isDone = (try? act(second)) != nil
                wasDone.withLock { $0 = isDone }
            }
        }
        let isFirst = (try? set("late", by: first)) != nil
        let isSecond = wasDone.withLock { $0 }
        return (isFirst, try #require(isSecond as Bool?))
    }

    func set(_ passcode: String, by fixture: EngineFixture) throws {
        try fixture.engine.setPasscode(
            EngineFixture.secret(passcode),
            current: isSet ? EngineFixture.secret(Self.former) : nil
        )
    }

    /// Whether a passcode unlocks the keychain for somebody who opens it afterwards.
    func isOpened(by passcode: String) throws -> Bool {
        let another = try EngineFixture(storage: storage.base, database: database, passcode: nil)
        return (try? another.unlock(passcode)) != nil
    }
}

@Suite struct `While a passcode is being set` {
    private let home: TestHome

    init() throws { home = try TestHome() }

    @Test(
        .requirement("LCK-07"),
        arguments: [true, false],
        [ActingStorage.Moment.looked, .unlocked]
    )
    func `one that somebody else sets stays, for who does not know it`(
        isSet: Bool,
        moment: ActingStorage.Moment
    ) throws {
        let race = try Race(home, isSet: isSet)
        let done = try race.run(moment) { try race.set("sooner", by: $0) }
        #expect(done.first != done.second)
        #expect(try race.isOpened(by: done.second ? "sooner" : "late"))
        #expect(try !race.isOpened(by: done.second ? "late" : "sooner"))
    }

    @Test(.requirement("LCK-07"), arguments: [ActingStorage.Moment.looked, .unlocked])
    func `an item that somebody else adds with one stays`(
        moment: ActingStorage.Moment
    ) throws {
        let race = try Race(home, isSet: false)
        let item = password("kept", [.accessible: .string(.whenPasscodeSetThisDeviceOnly)])
        let done = try race.run(moment) { second in
            try race.set("sooner", by: second)
            try #require(second.keychain.add(item, "value") == .success)
        }
        #expect(done.first != done.second)
        guard done.second else { return }
        #expect(race.second.keychain.read(password("kept")) == .value("value"))
    }

    @Test(.requirement("LCK-07", "LCK-09"), arguments: [ActingStorage.Moment.looked, .unlocked])
    func `settings that somebody else changes stay`(
        moment: ActingStorage.Moment
    ) throws {
        let race = try Race(home)
        let settings = LockSettings(idleSeconds: 600)
        let done = try race.run(moment) { second in
            try second.inside { state throws(KeychainError) in
                try state.session.setLockSettings(settings)
            }
        }
        #expect(done.second)
        let kept = try race.second.inside { state throws(KeychainError) in
            state.session.device.lockSettings
        }
        #expect(kept == settings)
        #expect(try race.isOpened(by: done.first ? "late" : "1234"))
    }
}

/// Randomness that fails from a moment on.
private final class EndingRandom: RandomSource {
    private let hasEnded = Atomic(false)

    func end() { hasEnded.store(true, ordering: .relaxed) }
    func begin() { hasEnded.store(false, ordering: .relaxed) }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptographyError) {
        if hasEnded.load(ordering: .relaxed) {
            throw .backend("the test has ended it")
        }
        try SystemRandomSource().fill(buffer)
    }
}

@Suite struct `A removal of the passcode that is cut short` {
    private let item = password(
        "bound",
        [.accessible: .string(.whenPasscodeSetThisDeviceOnly)]
    )

    /// The keybag has no passcode any more, and the sum of the rows cannot be written.
    @Test(.requirement("LCK-07", "LCK-06"))
    func `after its keybag is done all the same, and says what stays`() throws {
        let (storage, random) = (ActingStorage(), EndingRandom())
        let fixture = try EngineFixture(storage: storage, random: random)
        try fixture.unlock()
        #expect(fixture.keychain.add(item, "value") == .success)
        storage.arm(.replaced) { random.end() }
        // The attempt is counted in another file.
        try fixture.engine.removePasscode(current: EngineFixture.secret(EngineFixture.passcode))
        random.begin()
        #expect(!storage.isArmed)
        #expect(try !fixture.engine.isPasscodeSet)
        let warnings = try fixture.engine.takeWarnings().map(\.reason)
        #expect(warnings.contains { $0.contains("not deleted yet") })
    }

    @Test(.requirement("LCK-07"))
    func `is finished by whoever opens the keychain`() throws {
        let home = try TestHome()
        let passcode = EngineFixture.secret("1111")
        do {
            let keychain = try home.open()
            try keychain.endpoint.engine.setPasscode(passcode, current: nil)
            #expect(keychain.add(item, "value") == .success)
            #expect(keychain.add(password("free"), "value") == .success)
        }
        let before = try home.files()
        do { try home.open().endpoint.engine.removePasscode(current: passcode) }
        for suffix in ["", "-wal", "-shm"] {
            let path = home.home.database + suffix
            unlink(path)
            guard let bytes = before[path], suffix != "-shm" else { continue }
            try require(FileFacts.make(path), path)
            try home.write(bytes, to: path)
        }
        let opened = try home.open()
        #expect(try opened.endpoint.engine.faults() == [])
        #expect(opened.accounts(password(nil)) == ["free"])
        let connection = try SQLiteConnection(opening: home.home.database)
        #expect(try connection.number("SELECT COUNT(*) FROM genp") == 1)
    }
}
