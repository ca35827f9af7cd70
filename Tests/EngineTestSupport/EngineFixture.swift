import Cryptography
import DataProtection
import KeychainEngine
import KeychainHost
import KeychainModel
import Secrets
import Synchronization
import Testing

/// An engine of one test, with a clock that is moved by hand and the findings so far.
package final class EngineFixture: Sendable {
    package static let passcode = "1234"
    package static let groups = ["TEAM.app", "TEAM.shared"]

    package let engine: Engine
    package let clock: ManualClock
    package let findings: FindingList

    /// Opens the device of a storage, or makes one with the passcode; it is not yet unlocked.
    ///
    /// A database of nil is in memory; engines over one session are processes of one boot.
    /// `looking` and `stretching` are called when the engine looks around and stretches a passcode,
    /// `progress` for each row of a restore and of a change of passcode.
    package init(
        storage: any DeviceStorage = MemoryStorage(),
        database: String? = nil,
        session: (any SessionImageStorage)? = nil,
        passcode: String? = EngineFixture.passcode,
        boot: UInt8 = 1,
        random: any RandomSource = SystemRandomSource(),
        behavior: BehaviorProfile = .documented,
        system: SystemProfile = .host,
        surroundings: Surroundings = Surroundings(),
        tokenLifetime: UnlockToken.Lifetime = .untilRestart,
        waits: StoreWaits = StoreWaits(),
        byteLimit: Int? = nil,
        looking: (@Sendable () -> Void)? = nil,
        stretching: (@Sendable () -> Void)? = nil,
        progress: @escaping @Sendable () -> Void = {}
    ) throws {
        let clock = ManualClock(boot: boot)
        let findings = FindingList()
        self.clock = clock
        self.findings = findings
        let device = try Device(
            opening: storage,
            element: SoftwareSecureElement(storage: storage, random: random),
            creatingWith: passcode.map(Self.secret),
            sessions: session,
            tokenLifetime: tokenLifetime,
            stretchingCost: { Argon2id.Cost(memoryKiB: 32, passes: 1, lanes: 1) },
            random: random,
            at: clock.instant
        )
        engine = try Engine(
            device: device,
            store: ItemStore(opening: database, waits: waits, byteLimit: byteLimit),
            environment: EngineEnvironment(
                now: { clock.date },
                instant: { clock.instant },
                random: random,
                surroundings: {
                    looking?()
                    return surroundings
                },
                note: { findings.append($0) },
                progress: { _, _ in progress() },
                stretching: stretching
            ),
            profiles: Profiles(system: system, behavior: behavior)
        )
    }

    /// An engine whose device was just unlocked.
    package static func unlocked() throws -> EngineFixture {
        let fixture = try EngineFixture()
        try fixture.unlock()
        return fixture
    }

    /// Has the passwords of "before", "ada" and "after", in rows 1 to 3.
    package static func withThreeAccounts() throws -> EngineFixture {
        let fixture = try unlocked()
        for account in ["before", "ada", "after"] {
            let added = fixture.keychain.add(password(account), "value of \(account)")
            #expect(added == .success)
        }
        return fixture
    }

    package static func secret(_ text: String) -> SharedSecret {
        SharedSecret(Secret(copying: Array(text.utf8)))
    }

    package func unlock(_ passcode: String = EngineFixture.passcode) throws {
        try engine.unlock(passcode: Self.secret(passcode))
    }

    /// The engine for a program of the fixture's groups.
    package var keychain: TestKeychain {
        TestKeychain(
            EngineEndpoint(engine: engine, caller: TestKeychain.caller(Self.groups), note: { _ in })
        )
    }

    /// Works on the engine's insides.
    package func inside<R>(_ body: (inout EngineState) throws(KeychainError) -> R) throws -> R {
        try engine.enter { state throws(KeychainError) in try body(&state) }
    }
}

/// A clock that moves when told.
package final class ManualClock: Sendable {
    private let boot: UInt8
    private let seconds = Mutex(0.0)

    package init(boot: UInt8) { self.boot = boot }

    package func advance(seconds more: Double) { seconds.withLock { $0 += more } }

    /// In seconds since 2001.
    package var date: Double { 762_523_200 + seconds.withLock { $0 } }

    package var instant: DeviceInstant {
        DeviceInstant(
            bootID: Array(repeating: boot, count: 16),
            uptime: .seconds(seconds.withLock { $0 })
        )
    }
}

/// What was noticed so far.
package final class FindingList: Sendable {
    private let list = Mutex<[Finding]>([])

    package func append(_ finding: Finding) { list.withLock { $0.append(finding) } }

    package var all: [Finding] { list.withLock { $0 } }
}
