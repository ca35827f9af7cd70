import Cryptography
import DataProtection
import Foundation
import KeychainEngine
import KeychainHost
import KeychainModel
import Secrets

/// The cost of an unlock without the passcode's derivation, which is made as cheap as possible.
struct UnlockFigure {
    let home: BenchmarkHome

    func figure() throws -> Figure? {
        let place = home.directory + "/unlock-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: place) }
        let engine = try makeEngine(in: place)
        let passcode = { SharedSecret(Secret(copying: Array("0000".utf8))) }
        try engine.setPasscode(passcode(), current: nil)
        let times = try PairedTimes(rounds: 20, calls: 1) { _ in
            try engine.lock()
            try engine.unlock(passcode: passcode())
        }
        guard let found = times.figure("", items: nil, target: nil) else { return nil }
        return Figure(
            "lock and unlock, without Argon2id",
            value: found.value / 1000,
            unit: .milliseconds
        )
    }

    private func makeEngine(in place: String) throws -> Engine {
        let random = SystemRandomSource()
        let storage = try DirectoryStorage(path: place)
        let start = try DeviceInstant.systemNow()
        let device = try Device(
            opening: storage,
            element: SoftwareSecureElement(storage: storage, random: random),
            stretchingCost: { Argon2id.Cost(memoryKiB: 8, passes: 1, lanes: 1) },
            random: random,
            at: start
        )
        let environment = EngineEnvironment(
            now: { Date.timeIntervalSinceReferenceDate },
            instant: { start },
            random: random
        )
        return try Engine(
            device: device,
            store: try ItemStore(opening: nil),
            environment: environment,
            profiles: EmbeddedKeychain.profiles
        )
    }
}
