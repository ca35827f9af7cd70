import KeychainSimulator
import LocalAuthentication
import ModelTestSupport
import TestSupport
import Testing

/// What some platforms do, know or have, and others do not.
enum PlatformTrait: Sendable {
    /// Match keys in a delete are ignored rather than refused.
    case ignoresMatchKeys
    case hasBiometry
    /// The flag that came with iOS 9 can be used.
    case knowsPasscodeFlag
    /// The flag of iOS 18 can be used.
    case knowsCompanionFlag
}

/// ★ A platform and version, and what its gates let through.
struct PlatformRow: Sendable, CustomTestStringConvertible {
    let system: SystemProfile
    let traits: Set<PlatformTrait>
    var testDescription: String { "\(system)" }

    static let all = [
        PlatformRow(.iOS(8), [.hasBiometry]),
        PlatformRow(.iOS(9), [.hasBiometry, .knowsPasscodeFlag]),
        PlatformRow(.iOS(17), [.hasBiometry, .knowsPasscodeFlag]),
        PlatformRow(.iOS(18), [.hasBiometry, .knowsPasscodeFlag, .knowsCompanionFlag]),
        PlatformRow(.iOS(26), [.hasBiometry, .knowsPasscodeFlag, .knowsCompanionFlag]),
        PlatformRow(
            .macOS(26),
            [.ignoresMatchKeys, .hasBiometry, .knowsPasscodeFlag, .knowsCompanionFlag]
        ),
        PlatformRow(.catalyst(14), [.hasBiometry, .knowsPasscodeFlag]),
        PlatformRow(.catalyst(15), [.hasBiometry, .knowsPasscodeFlag, .knowsCompanionFlag]),
        PlatformRow(.tvOS(17), [.knowsPasscodeFlag]),
        PlatformRow(.tvOS(26), [.knowsPasscodeFlag, .knowsCompanionFlag]),
        PlatformRow(.watchOS(10), [.knowsPasscodeFlag]),
        PlatformRow(.watchOS(11), [.knowsPasscodeFlag, .knowsCompanionFlag]),
        PlatformRow(.iOSSimulator, [.hasBiometry, .knowsPasscodeFlag, .knowsCompanionFlag]),
    ]

    private init(_ system: SystemProfile, _ traits: Set<PlatformTrait>) {
        self.system = system
        self.traits = traits
    }
}

@Suite struct `A platform and its version` {
    @Test(.requirement("SIM-17"), arguments: PlatformRow.all)
    func `decide what is known and what is refused`(row: PlatformRow) throws {
        let device = try SimulatedDevice(system: row.system)
        let hasBiometry = row.traits.contains(.hasBiometry)
        #expect((device.biometry != .none) == hasBiometry)
        device.installExample().run {
            #expect((LAContext().biometryType != .none) == hasBiometry)
            #expect(Password().add() == errSecSuccess)
            var query = Password().query
            query[kSecMatchLimit as String] = kSecMatchLimitAll
            let status = SecItemDelete(query as CFDictionary)
            let ignoresMatchKeys = row.traits.contains(.ignoresMatchKeys)
            #expect(status == (ignoresMatchKeys ? errSecSuccess : errSecParam))
        }
    }

    /// ★ Flags that came later than the others.
    private static let flags: [(SecAccessControlCreateFlags.RawValue, PlatformTrait)] = [
        (SecAccessControlCreateFlags.devicePasscode.rawValue, .knowsPasscodeFlag),
        (SecAccessControlCreateFlags.companion.rawValue, .knowsCompanionFlag),
    ]

    @Test(.requirement("SIM-17"), arguments: PlatformRow.all, flags)
    func `decide which flags an access control can have`(
        row: PlatformRow,
        flag: (bits: SecAccessControlCreateFlags.RawValue, trait: PlatformTrait)
    ) throws {
        let device = try SimulatedDevice(system: row.system)
        let control = device.installExample().run {
            SecAccessControlCreateWithFlags(
                nil,
                kSecAttrAccessibleWhenUnlocked,
                SecAccessControlCreateFlags(rawValue: flag.bits),
                nil
            )
        }
        #expect((control != nil) == row.traits.contains(flag.trait))
    }
}

/// What makes an item absent.
enum Absence: String, CaseIterable, Sendable {
    case neverStored, lostInMigration, lostWithThePasscode, otherAttributes
}

@Suite struct `An item that is not found` {
    @Test(.requirement("ERR-05"), arguments: Absence.allCases)
    func `has one of four reasons`(absence: Absence) throws {
        var device = try SimulatedDevice()
        let item = Password(account: absence.rawValue)
        switch absence {
        case .neverStored: break
        case .lostInMigration:
            device.installExample().run {
                #expect(item.add(accessible: .whenUnlockedThisDeviceOnly) == errSecSuccess)
                #expect(item.read() == .value)
            }
            let other = try SimulatedDevice()
            try device.migrate(to: other)
            device = other
        case .lostWithThePasscode:
            device.installExample().run {
                #expect(item.add(accessible: .whenPasscodeSetThisDeviceOnly) == errSecSuccess)
                #expect(item.read() == .value)
            }
            try device.removePasscode(current: "0000")
        case .otherAttributes:
            device.installExample().run {
                #expect(item.add(accessible: .whenUnlocked) == errSecSuccess)
            }
        }
        device.installExample().run {
            let sought = absence == .otherAttributes ? Password(account: "another") : item
            #expect(sought.read() == .notFound)
        }
    }
}
