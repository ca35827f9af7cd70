import KeychainSimulator
import LocalAuthentication
import TestSupport
import Testing

/// ★ A platform and version, and what its gates let through.
struct PlatformRow: Sendable, CustomTestStringConvertible {
    let system: SystemProfile
    /// Whether match keys in a delete are ignored rather than refused.
    let ignoresMatchKeys: Bool
    let hasBiometry: Bool
    /// Whether the flag that came with iOS 9, and the one of iOS 18, can be used.
    let knowsPasscodeFlag: Bool
    let knowsCompanionFlag: Bool
    var testDescription: String { "\(system)" }

    static let all = [
        PlatformRow(.iOS(8), false, true, false, false),
        PlatformRow(.iOS(9), false, true, true, false),
        PlatformRow(.iOS(17), false, true, true, false),
        PlatformRow(.iOS(18), false, true, true, true),
        PlatformRow(.iOS(26), false, true, true, true),
        PlatformRow(.macOS(26), true, true, true, true),
        PlatformRow(.catalyst(14), false, true, true, false),
        PlatformRow(.catalyst(15), false, true, true, true),
        PlatformRow(.tvOS(17), false, false, true, false),
        PlatformRow(.tvOS(26), false, false, true, true),
        PlatformRow(.watchOS(10), false, false, true, false),
        PlatformRow(.watchOS(11), false, false, true, true),
        PlatformRow(.iOSSimulator, false, true, true, true),
    ]

    private init(
        _ system: SystemProfile,
        _ ignoresMatchKeys: Bool,
        _ hasBiometry: Bool,
        _ knowsPasscodeFlag: Bool,
        _ knowsCompanionFlag: Bool
    ) {
        self.system = system
        self.ignoresMatchKeys = ignoresMatchKeys
        self.hasBiometry = hasBiometry
        self.knowsPasscodeFlag = knowsPasscodeFlag
        self.knowsCompanionFlag = knowsCompanionFlag
    }
}

@Suite struct `A platform and its version` {
    @Test(.requirement("SIM-17"), arguments: PlatformRow.all)
    func `decide what is known and what is refused`(row: PlatformRow) throws {
        let device = try SimulatedDevice(system: row.system)
        #expect((device.biometry != .none) == row.hasBiometry)
        device.installExample().run {
            #expect((LAContext().biometryType != .none) == row.hasBiometry)
            for (flag, isKnown) in [
                (SecAccessControlCreateFlags.devicePasscode, row.knowsPasscodeFlag),
                (.companion, row.knowsCompanionFlag),
            ] {
                let control = SecAccessControlCreateWithFlags(
                    nil,
                    kSecAttrAccessibleWhenUnlocked,
                    flag,
                    nil
                )
                #expect((control != nil) == isKnown)
            }
            #expect(Password().add() == errSecSuccess)
            var query = Password().query
            query[kSecMatchLimit as String] = kSecMatchLimitAll
            let status = SecItemDelete(query as CFDictionary)
            #expect(status == (row.ignoresMatchKeys ? errSecSuccess : errSecParam))
        }
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
                #expect(item.add(accessible: "aku") == errSecSuccess)
                #expect(item.read() == .value)
            }
            let other = try SimulatedDevice()
            try device.migrate(to: other)
            device = other
        case .lostWithThePasscode:
            device.installExample().run {
                #expect(item.add(accessible: "akpu") == errSecSuccess)
                #expect(item.read() == .value)
            }
            try device.removePasscode(current: "0000")
        case .otherAttributes:
            device.installExample().run { #expect(item.add(accessible: "ak") == errSecSuccess) }
        }
        device.installExample().run {
            let sought = absence == .otherAttributes ? Password(account: "another") : item
            #expect(sought.read() == .notFound)
        }
    }
}
