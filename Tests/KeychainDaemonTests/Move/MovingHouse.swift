import Cryptography
import EngineTestSupport
import Foundation
import KeychainEngine
import KeychainHost
import KeychainMessages
import KeychainModel
import Secrets
import Synchronization
import TestSupport

@testable import KeychainDaemon

/// A directory of an account, and a daemon with a directory of its own; one can be killed at any
/// effect on a disk, and started again.
final class MovingHouse: Sendable {
    static let account: UInt32 = 1000

    let root: String
    let home: KeychainHome
    let state: String

    init() throws {
        root =
            FileManager.default.temporaryDirectory.path + "/move-" + UUID().uuidString.lowercased()
        home = KeychainHome(directory: root + "/share/keychain")
        state = root + "/state"
        for path in [root, root + "/share", state] { try require(mkdir(path, 0o700) == 0, path) }
    }

    deinit { Litter.remove(root) }

    var inDaemon: KeychainHome { KeychainHome(directory: "\(state)/\(Self.account)") }

    /// Opens a directory as a process would, or makes a keychain in it.
    static func open(_ home: KeychainHome) throws(KeychainError) -> Engine {
        try EmbeddedKeychain.engine(
            home,
            ProcessEnvironment(executable: "/none") { _ in nil },
            EmbeddedKeychain.EngineTerms(
                sessions: .nowhere,
                surroundings: { Surroundings() },
                note: { _ in },
                stretchingCost: { Argon2id.Cost(memoryKiB: 32, passes: 1, lanes: 1) }
            )
        )
    }

    static func keychain(_ engine: Engine) -> TestKeychain {
        let caller = TestKeychain.caller(EngineFixture.groups)
        return TestKeychain(EngineEndpoint(engine: engine, caller: caller, note: { _ in }))
    }

    /// Has three passwords in the directory, under a passcode.
    func fill(_ accounts: [String] = ["ada", "bob", "eve"]) throws {
        let engine = try Self.open(home)
        defer { engine.end() }
        try engine.setPasscode(EngineFixture.secret(EngineFixture.passcode), current: nil)
        let added = accounts.map { Self.keychain(engine).add(password($0), "value of \($0)") }
        try require(added.allSatisfy { $0 == .success }, "add")
    }

    /// The accounts of all passwords of a directory, after an unlock; nil if it cannot be opened.
    func accounts(_ home: KeychainHome) -> [String]? {
        guard access(home.database, F_OK) == 0, let engine = try? Self.open(home) else {
            return nil
        }
        defer { engine.end() }
        try? engine.unlock(passcode: EngineFixture.secret(EngineFixture.passcode))
        let keychain = Self.keychain(engine)
        let found = keychain.accounts(password(nil, service: "mail"))
        let values = found.map { keychain.read(password($0)) }
        return values == found.map { .value("value of \($0)") } ? found : nil
    }

    /// What has a name in the directory above the keychain's, and in the daemon's.
    var names: [String] {
        let list = FileManager.default
        let left = (try? list.contentsOfDirectory(atPath: root + "/share")) ?? []
        let right = (try? list.contentsOfDirectory(atPath: state)) ?? []
        return left.sorted() + right.map { $0.replacing(/[0-9]{10}/, with: "TIME") }.sorted()
    }
}

/// Ends a process in front of an effect: nothing that it would do later happens.
final class Killer: Sendable {
    private let state = Mutex((count: 0, isDead: false))
    private let place: Int?

    /// - Parameter place: The number of the effect, from 0 on; nil for never.
    init(at place: Int?) { self.place = place }

    var effects: MoveEffects {
        MoveEffects { [self] _ throws(KeychainError) in
            let isDead = state.withLock { state in
                if state.count == place { state.isDead = true }
                state.count += 1
                return state.isDead
            }
            if isDead { throw KeychainError(.userCanceled, "killed") }
        }
    }

    var count: Int { state.withLock { $0.count } }
    var isDead: Bool { state.withLock { $0.isDead } }
}

/// The keychains of a daemon for its moves, which must not keep the daemon.
private final class MovedKeychains: MovableKeychains {
    private struct Owner { weak var daemon: HouseDaemon? }

    private let owner: Mutex<Owner>

    init(of daemon: HouseDaemon) { owner = Mutex(Owner(daemon: daemon)) }

    func engine(of account: UInt32) throws(KeychainError) -> Engine {
        guard let daemon = owner.withLock({ $0.daemon }) else { throw .unexpectedReply }
        return try daemon.engine(of: account)
    }

    func whileClosed<R>(
        _ account: UInt32,
        _ body: () throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        guard let daemon = owner.withLock({ $0.daemon }) else { throw .unexpectedReply }
        return try daemon.whileClosed(account, body)
    }
}

/// A daemon's process: its keychains, and who moves.
final class HouseDaemon: DaemonChannel, MovableKeychains {
    private let house: MovingHouse
    private let killer: Killer
    private let engines = Mutex<[UInt32: Engine]>([:])
    /// Set once, before anybody asks.
    private let moves = Mutex<MoveRequests?>(nil)
    private let mover: MoveRequests.Mover
    /// What a test has the daemon do in the middle of a step.
    typealias Again = @Sendable (MoveRequest) throws(KeychainError) -> MoveReply
    private let repeated = Mutex<Again?>(nil)

    var again: Again? { repeated.withLock(\.self) }

    func setAgain(_ again: @escaping Again) { repeated.withLock { $0 = again } }

    init(
        _ house: MovingHouse,
        _ killer: Killer = Killer(at: nil),
        mover: UInt64 = 1,
        byteLimit: UInt64? = nil
    ) {
        self.house = house
        self.killer = killer
        self.mover = mover
        let requests = MoveRequests(
            state: house.state,
            keychains: MovedKeychains(of: self),
            effects: killer.effects,
            byteLimit: byteLimit,
            now: { 1_790_000_000 },
            open: { home throws(KeychainError) in try MovingHouse.open(home) }
        )
        moves.withLock { $0 = requests }
    }

    var requests: MoveRequests {
        get throws(KeychainError) {
            guard let requests = moves.withLock({ $0 }) else { throw .unexpectedReply }
            return requests
        }
    }

    func perform(_ request: DaemonRequest) throws(KeychainError) -> DaemonReply {
        guard case .move(let step) = request else { throw .unexpectedReply }
        return .move(try perform(step, by: mover))
    }

    func kind() -> EndpointDescription.Kind { .systemDaemon }

    func perform(
        _ step: MoveRequest,
        by mover: MoveRequests.Mover
    ) throws(KeychainError) -> MoveReply {
        let reply = try requests.perform(step, for: MovingHouse.account, by: mover)
        // A daemon that was killed answers nothing.
        guard !killer.isDead else { throw KeychainError(.notAvailable, "killed") }
        return reply
    }

    func engine(of account: UInt32) throws(KeychainError) -> Engine {
        if let known = engines.withLock({ $0[account] }) { return known }
        try requests.prepareOpening(of: account)
        let made = try MovingHouse.open(KeychainHome(directory: "\(house.state)/\(account)"))
        engines.withLock { $0[account] = made }
        return made
    }

    func whileClosed<R>(
        _ account: UInt32,
        _ body: () throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        engines.withLock { engines in
            engines[account]?.end()
            engines[account] = nil
        }
        return try body()
    }

    deinit { stop() }

    func stop() { engines.withLock { engines in engines.values.forEach { $0.end() } } }
}
