import Cryptography
import DataProtection
import Foundation
import KeychainEngine
import KeychainHost
import KeychainModel
import Synchronization

/// Announcements of the engine, collected under its mutex for delivery afterwards.
final class AnnouncementOutbox: Sendable {
    private let waiting = Mutex<[DeviceAnnouncement]>([])

    func add(_ announcement: DeviceAnnouncement) { waiting.withLock { $0.append(announcement) } }

    func takeAll() -> [DeviceAnnouncement] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}

/// A factory for the engine of a simulated device, in memory or in a directory.
struct DeviceFactory {
    let passcode: String?
    let profiles: Profiles
    let directory: URL?
    let clock: SimulatedClock
    let log: DiagnosticLog
    let outbox: AnnouncementOutbox
    let scene: DeviceScene

    /// The cost of a derivation in much less than a millisecond, because a simulated passcode
    /// protects nothing.
    private static let cost = Argon2id.Cost(memoryKiB: 32, passes: 1, lanes: 1)

    func makeEngine() throws(KeychainError) -> Engine {
        let random = SystemRandomSource()
        let clock = clock
        let log = log
        let outbox = outbox
        let scene = scene
        let environment = EngineEnvironment(
            now: { clock.date() },
            instant: { clock.instant() },
            random: random,
            surroundings: { scene.surroundings },
            note: { log.note($0) },
            announce: { outbox.add($0) },
            elementTrip: { clock.passElementTrip() }
        )
        let device = try makeDevice(random: random)
        return try Engine(
            device: device,
            store: try makeStore(),
            environment: environment,
            profiles: profiles
        )
    }

    private func makeDevice(
        random: SystemRandomSource
    ) throws(KeychainError) -> sending Device {
        let storage = try makeStorage()
        do throws(DeviceError) {
            return try Device(
                opening: storage,
                element: SoftwareSecureElement(storage: storage, random: random),
                creatingWith: passcode.map(SimulatedDevice.secret),
                tokenLifetime: .untilRestart,
                stretchingCost: { Self.cost },
                random: random,
                at: clock.instant()
            )
        } catch { throw KeychainError(error) }
    }

    private func makeStorage() throws(KeychainError) -> any DeviceStorage {
        guard let directory else { return MemoryStorage() }
        return try fromStorage(try DirectoryStorage(path: directory.path))
    }

    private func makeStore() throws(KeychainError) -> sending ItemStore {
        let home = directory.map { KeychainHome(directory: $0.path) }
        try home?.prepareDatabase()
        return try ItemStore(opening: home?.database)
    }
}
