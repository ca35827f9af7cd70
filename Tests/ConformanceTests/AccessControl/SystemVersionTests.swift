import KeychainSimulator
import LocalAuthentication
import ModelTestSupport
import TestSupport
import Testing

@Suite struct `A flag of an access control` {
    /// ★ The version of iOS that each came with.
    static let introductions: [(flag: SecAccessControlCreateFlags.RawValue, version: Int)] = [
        (SecAccessControlCreateFlags.userPresence, 8),
        (.biometryAny, 9), (.biometryCurrentSet, 9), (.devicePasscode, 9),
        (.privateKeyUsage, 9), (.applicationPassword, 9), (.companion, 18),
        ([.biometryAny, .or, .devicePasscode], 9), ([.biometryAny, .and, .devicePasscode], 9),
        ([.biometryAny, .or, .companion], 18), ([.userPresence, .applicationPassword], 9),
    ].map { (flag: SecAccessControlCreateFlags, version: Int) in (flag.rawValue, version) }

    @Test(.requirement("ACC-37"), arguments: introductions)
    func `is refused by systems before the one that it came with`(
        flag: SecAccessControlCreateFlags.RawValue,
        version: Int
    ) throws {
        let flags = SecAccessControlCreateFlags(rawValue: flag)
        let before = try GatedApp(system: .iOS(version - 1))
        let outcome = before.app.run {
            Outcome {
                SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, $0)
            }
        }
        #expect(outcome.isRefusal(errSecParam))
        let since = try GatedApp(system: .iOS(version))
        #expect(since.control(flags) != nil)
        let mac = try GatedApp(system: .macOS(15))
        #expect(mac.control(flags) != nil)
    }

    @Test(.requirement("ACC-37"), arguments: [7, 8])
    func `goes with WhenPasscodeSet from iOS 8`(version: Int) throws {
        let gated = try GatedApp(system: .iOS(version))
        let protection = kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
        let isKnown = version >= 8
        #expect((gated.control([], protection) != nil) == isKnown)
        #expect(gated.addPlain("alice", protection) == (isKnown ? errSecSuccess : errSecParam))
        #expect(gated.read() == (isKnown ? errSecSuccess : errSecItemNotFound))
    }

    @Test(.requirement("ACC-37"), arguments: [11, 12])
    func `is not what Always is: deprecated from iOS 12`(version: Int) throws {
        let gated = try GatedApp(system: .iOS(version))
        #expect(gated.addPlain("alice", String.always as CFString) == errSecSuccess)
        let isNoted = gated.device.findings.contains { $0.rule == "deprecated-always" }
        #expect(isNoted == (version >= 12))
    }

    @Test(.requirement("ACC-37", "SIM-11"), arguments: [14, 15, 26])
    func `needs no prewarming, which came with iOS 15`(version: Int) throws {
        let gated = try GatedApp(system: .iOS(version))
        gated.device.reboot()
        let state = gated.app.prewarm { gated.device.state }
        #expect(state == (version >= 15 ? .beforeFirstUnlock : nil))
        let mac = try GatedApp(system: .macOS(26))
        #expect(mac.app.prewarm { true } == nil)
    }
}
