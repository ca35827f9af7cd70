import Glibc
import KeychainModel
import Secrets
import TestSupport
import Testing

@testable import DataProtection

@Suite struct `The memory of a process` {
    @Test(.requirement("STO-19", "ACC-21"))
    func `holds no class key for "while unlocked" once the device is locked`() async {
        await #expect(processExitsWith: .success) {
            var device = try openDevice(MemoryStorage(), creatingWith: passcode("1234"))
            _ = try device.unlock(passcode: passcode("1234").secret, at: instant(1))
            _ = try wrapProbe(device, .whenUnlocked)
            let copy = device.keybag.keys.withKey(.whenUnlocked) { $0.secret.duplicate() }
            guard let copy else { exit(2) }
            let before = copy.withUnsafeBytes { MemoryScan.occurrences(of: $0) }
            _ = try device.lock(at: instant(2))
            let after = copy.withUnsafeBytes { MemoryScan.occurrences(of: $0) }
            exit(before == 1 && after == 0 ? 0 : Int32(10 + 10 * min(before, 9) + min(after, 9)))
        }
    }
}
