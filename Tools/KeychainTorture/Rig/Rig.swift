import Cryptography
import DataProtection
import Glibc
import KeychainEngine
import KeychainHost
import KeychainModel
import Secrets

/// A keychain in a directory, as a process of its own opens it: the real files and the real store,
/// with a clock of its own and a passcode that is hardly stretched.
final class Rig {
    /// The passcodes that any keychain of a run may have.
    static let passcodes = ["1111", "2222"]
    static let groups = ["TEAM.torture", "TEAM.other"]

    private static let cost = Argon2id.Cost(memoryKiB: 32, passes: 1, lanes: 1)

    let directory: String
    private let clock = RigClock()
    private var opened: EngineEndpoint?

    /// Opens, or makes, the keychain of a directory, and unlocks it unless that is not wanted.
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

    /// Closes the keychain; nothing can be asked of it any more.
    func close() { opened = nil }

    func endpoint() throws(KeychainError) -> EngineEndpoint {
        guard let opened else { throw KeychainError(.notAvailable, "the keychain was closed") }
        return opened
    }

    func engine() throws(KeychainError) -> Engine { try endpoint().engine }

    /// Tries the passcodes that the keychain may have; nothing without a passcode.
    ///
    /// - Returns: the passcode; nil without one.
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

    /// Wrong passcodes of before may demand a delay, which is no loss.
    private func waitForNextAttempt(_ engine: Engine) throws(KeychainError) {
        let delay = try engine.passcodeDelay()
        if delay > .zero { clock.advance(by: delay) }
    }

    static func secret(_ text: String) -> SharedSecret {
        SharedSecret(Secret(copying: Array(text.utf8)))
    }
}

/// Somebody who types the first passcode, whatever is asked.
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
