import KeychainServices
import KeychainSimulator
import ModelTestSupport
import TestSupport
import Testing

/// ★ Something that came with a version of a system.
struct VersionGate: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The document that says so.
    let source: String
    let iOS: Int
    /// Whether only phones and tablets ever have it.
    var isForPhones = false
    /// Whether a device has it.
    let isThere: @Sendable (Phone) throws -> Bool

    private static let timeline = "Keychain access control guide, iOS Version Timeline"

    static let all = [
        VersionGate(
            testDescription: "WhenPasscodeSetThisDeviceOnly",
            source: timeline,
            iOS: 8
        ) {
            $0.add("x", account: "a", accessible: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly)
                == 0
        },
        VersionGate(testDescription: "userPresence", source: timeline, iOS: 8) {
            $0.control(.userPresence) != nil
        },
        VersionGate(testDescription: "devicePasscode", source: timeline, iOS: 9) {
            $0.control(.devicePasscode) != nil
        },
        VersionGate(testDescription: "applicationPassword", source: timeline, iOS: 9) {
            $0.control(.applicationPassword) != nil
        },
        VersionGate(testDescription: "privateKeyUsage", source: timeline, iOS: 9) {
            $0.control(.privateKeyUsage) != nil
        },
        VersionGate(testDescription: "deprecation of Always", source: timeline, iOS: 12) { phone in
            _ = phone.add("x", account: "a", accessible: String.always as CFString)
            return phone.device.findings.contains { $0.rule == "deprecated-always" }
        },
        VersionGate(
            testDescription: "refusal of foreign groups",
            source: "Keychain sharing, Debugging",
            iOS: 13
        ) { phone in
            let query: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrAccessGroup: "TEAM.other",
            ]
            let status = phone.app.run { SecItemCopyMatching(query as CFDictionary, nil) }
            return status == errSecMissingEntitlement
        },
        VersionGate(testDescription: "managed items stay", source: timeline, iOS: 15) { phone in
            try phone.device.installManaged(.init("x", service: "s", account: "a"), for: phone.app)
            return phone.find("a").item[kSecAttrAccessible as String] as? String
                == .afterFirstUnlockThisDeviceOnly
        },
        VersionGate(
            testDescription: "prewarming",
            source: "Apple, About the app launch sequence",
            iOS: 15,
            isForPhones: true
        ) { $0.app.prewarm { true } ?? false },
        VersionGate(
            testDescription: "companion",
            source: "Apple, SecAccessControlCreateFlags",
            iOS: 18
        ) { $0.control(.companion) != nil },
        VersionGate(
            testDescription: "Stolen Device Protection",
            source: timeline,
            iOS: 26,
            isForPhones: true
        ) { $0.device.hasStolenDeviceProtection },
    ]
}

/// A platform, and how its versions were counted.
enum VersionedPlatform: CaseIterable, Sendable {
    case iOS, tvOS, watchOS, catalyst

    /// The system of the platform that came out with a version of iOS.
    func system(with iOS: Int) -> SystemProfile {
        switch self {
        case .iOS: .iOS(iOS)
        case .tvOS: .tvOS(iOS)
        case .watchOS: .watchOS(iOS < 26 ? iOS - 7 : iOS)
        case .catalyst: .catalyst(iOS < 26 ? iOS - 3 : iOS)
        }
    }
}

extension Phone {
    /// Makes an access control in the app.
    fileprivate func control(_ flags: SecAccessControlCreateFlags) -> SecAccessControl? {
        app.run {
            SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil)
        }
    }
}

@Suite struct `What came with a version of a system` {
    @Test(.requirement("SIM-17"), arguments: VersionGate.all, VersionedPlatform.allCases)
    func `is there from it on`(gate: VersionGate, platform: VersionedPlatform) throws {
        let before = try Phone(platform.system(with: gate.iOS - 1))
        #expect(try !gate.isThere(before))
        let since = try Phone(platform.system(with: gate.iOS))
        #expect(try gate.isThere(since) == (platform == .iOS || !gate.isForPhones))
    }

    @Test(.requirement("SIM-17"), arguments: VersionGate.all)
    func `is there on a Mac, unless only phones have it`(gate: VersionGate) throws {
        #expect(try gate.isThere(Phone(.macOS(26))) == !gate.isForPhones)
    }
}
