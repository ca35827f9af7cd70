import Cryptography
import DataProtection
import Glibc
import KeychainEngine
import KeychainHost
import KeychainModel
import Secrets

/// A keychain in a directory, in the state in which a separate process opens it.
///
/// It has the real files and the real store, its own clock, and a passcode that is derived cheaply.
final class Rig {
    /// The passcodes that any keychain of a run may have.
    static let passcodes = ["1111", "2222"]
    static let groups = ["TEAM.torture", "TEAM.other"]

    private static let cost = Argon2id.Cost(memoryKiB: 32, passes: 1, lanes: 1)

    let directory: String
    private let clock = RigClock()
    private var opened: EngineEndpoint?

    /// Opens or makes the keychain of a directory, and unlocks it if that is wanted.
    init(_ directory: String, isUnlocked: Bool = true) throws(KeychainError) {
        self.directory = directory
        opened = EngineEndpoint(
            engine: try Self.engine(KeychainHome(directory: directory), clock),
            caller: Caller(
                entitlements: Entitlements(keychainAccessGroups: Self.groups),
                system: .host
            ),
            prompter: FirstPasscode(),
            note: { _ in }
        )
        if isUnlocked { try unlock() }
    }

    private static func engine(
        _ home: KeychainHome,
        _ clock: RigClock
    ) throws(KeychainError) -> Engine {
        let random = SystemRandomSource()
        let session = try fromStorage(try RigSessions(home.directory + "/run"))
        try home.requireKeybag()
        let device = try fromDevice(try Self.device(home, session, random, clock))
        try home.prepareDatabase()
        let store = try ItemStore(opening: home.database)
        return try Engine(
            device: device,
            store: store,
            environment: EngineEnvironment(
                now: { 800_000_000 },
                instant: { clock.instant() },
                random: random
            ),
            profiles: Profiles(system: .host, behavior: HostBehavior.standard)
        )
    }

    private static func device(
        _ home: KeychainHome,
        _ sessions: RigSessions,
        _ random: SystemRandomSource,
        _ clock: RigClock
    ) throws(DeviceError) -> sending Device {
        let storage: DirectoryStorage
        do throws(StorageError) {
            storage = try DirectoryStorage(path: home.directory)
        } catch { throw .storage(error) }
        return try Device(
            opening: storage,
            element: SoftwareSecureElement(storage: storage, random: random),
            sessions: sessions,
            stretchingCost: { cost },
            random: random,
            at: clock.instant()
        )
    }

    /// Closes the keychain; later calls fail.
    func close() { opened = nil }

    func endpoint() throws(KeychainError) -> EngineEndpoint {
        guard let opened else { throw KeychainError(.notAvailable, "the keychain was closed") }
        return opened
    }

    func engine() throws(KeychainError) -> Engine { try endpoint().engine }

    /// Tries the possible passcodes; does nothing without a passcode.
    ///
    /// - Returns: The passcode; nil if there is none.
    @discardableResult
    func unlock() throws(KeychainError) -> String? {
        let engine = try engine()
        guard try engine.isPasscodeSet else { return nil }
        for passcode in Self.passcodes {
            try waitForNextAttempt(engine)
            do throws(KeychainError) {
                try engine.unlock(passcode: Self.secret(passcode))
                return passcode
            } catch {
                guard error.status == .authFailed else { throw error }
            }
        }
        throw KeychainError(.authFailed, "no passcode of this run unlocks the keychain")
    }

    /// Waits out the delay after earlier wrong passcodes, which is not a loss.
    private func waitForNextAttempt(_ engine: Engine) throws(KeychainError) {
        let delay = try engine.passcodeDelay()
        if delay > .zero { clock.advance(by: delay) }
    }

    static func secret(_ text: String) -> SharedSecret {
        SharedSecret(Secret(copying: Array(text.utf8)))
    }
}

/// A prompter that types the first passcode at every prompt.
private struct FirstPasscode: Prompter {
    func answer(_ prompt: Prompt) -> PromptAnswer {
        prompt.kind == .passcode ? .typed(Rig.secret(Rig.passcodes[0])) : .impossible
    }
}

/// Session images beside the keychain, where its other processes look for them.
private struct RigSessions: SessionImageStorage {
    private let directory: String

    init(_ directory: String) throws(StorageError) {
        self.directory = try DirectoryStorage(path: directory).directory
    }

    func read(_ name: String) throws(StorageError) -> [UInt8]? {
        try SessionFile.open(directory + "/" + name)?.content(limit: 4096)
    }

    func write(_ image: [UInt8], as name: String) throws(StorageError) {
        _ = try SessionFile.write(image, to: directory + "/" + name)
    }

    func isPresent(_ name: String) -> Bool { access(directory + "/" + name, F_OK) == 0 }

    func remove(startingWith prefix: String, except kept: String?) throws(StorageError) -> Int {
        var count = 0
        for name in MemoryDirectory.names(in: directory, startingWith: prefix) where name != kept {
            if try SessionFile.remove(directory + "/" + name, of: geteuid()) { count += 1 }
        }
        return count
    }
}
