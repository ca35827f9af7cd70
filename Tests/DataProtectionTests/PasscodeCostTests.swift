import Cryptography
import KeychainModel
import Secrets
import Synchronization
import TestSupport
import Testing

@testable import DataProtection

/// A device whose machine measures another cost each time.
private struct MeasuringDevice: ~Copyable {
    var device: Device

    init(measuring costs: [UInt32], creatingWith passcode: SharedSecret? = nil) throws {
        let left = Mutex(costs)
        let random = SeededRandomSource(seed: 1)
        let storage = MemoryStorage()
        device = try Device(
            opening: storage,
            element: SoftwareSecureElement(storage: storage, random: random),
            creatingWith: passcode,
            stretchingCost: {
                let memory = left.withLock { $0.isEmpty ? 0 : $0.removeFirst() }
                return Argon2id.Cost(memoryKiB: memory, passes: 1, lanes: 1)
            },
            random: random,
            at: instant(0)
        )
    }
}

@Suite struct `The cost of a passcode guess` {
    @Test(.requirement("LCK-08"))
    func `is measured when a passcode is set, and again at each change`() throws {
        var measuring = try MeasuringDevice(measuring: [8, 24, 16])
        #expect(measuring.device.guessCost == nil)
        _ = try measuring.device.setPasscode(passcode("a").secret, current: nil, at: instant(1))
        #expect(measuring.device.guessCost?.memoryKiB == 8)
        _ = try measuring.device.setPasscode(
            passcode("b").secret,
            current: passcode("a"),
            at: instant(2)
        )
        #expect(measuring.device.guessCost?.memoryKiB == 24)
        _ = try measuring.device.setPasscode(
            passcode("b").secret,
            current: passcode("b"),
            at: instant(3)
        )
        #expect(measuring.device.guessCost?.memoryKiB == 16)
    }

    @Test(.requirement("LCK-08"))
    func `is not measured for a change that is refused`() throws {
        var measuring = try MeasuringDevice(measuring: [8, 24], creatingWith: passcode("a"))
        #expect(throws: DeviceError.self) {
            try measuring.device.setPasscode(
                passcode("b").secret,
                current: passcode("wrong"),
                at: instant(1)
            )
        }
        #expect(measuring.device.guessCost?.memoryKiB == 8)
        _ = try measuring.device.setPasscode(
            passcode("b").secret,
            current: passcode("a"),
            at: instant(2)
        )
        #expect(measuring.device.guessCost?.memoryKiB == 24)
    }
}
