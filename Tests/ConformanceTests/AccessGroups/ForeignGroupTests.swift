import KeychainSimulator
import Security
import TestSupport
import Testing

@Suite struct `A group that the program is not entitled to` {
    /// What each of the four functions returns for an item of a group.
    private func statuses(of password: Password) -> [OSStatus] {
        [
            password.add(), password.read().status, password.update("another"),
            password.delete(),
        ]
    }

    private let refused = [OSStatus](repeating: errSecMissingEntitlement, count: 4)

    @Test(
        .requirement("GRP-06", "GRP-08", "GRP-09", "GRP-14", "ERR-08"),
        arguments: [
            "TEAMID1234.com.example.other", "com.example.shared", "com.example.app",
            "OTHERTEAM1.com.example.shared", "group.com.other", "TEAMID1234.group.com.example",
            "TEAMID1234", "TEAMID1234.com.example.shared ", "teamid1234.com.example.shared",
            "TEAMID1234.com.example.*", "*", "", "com.apple.token",
        ]
    )
    func `is refused by every function`(group: String) throws {
        let device = try SimulatedDevice()
        let app = device.install(`The access group of an item`.entitled)
        app.run { #expect(statuses(of: Password(group: group)) == refused) }
    }

    @Test(.requirement("GRP-08"))
    func `becomes its own when it is written with the team's prefix`() throws {
        let device = try SimulatedDevice()
        let manifest = SimulatedApp.Manifest(
            bundleIdentifier: "com.app",
            keychainAccessGroups: ["com.app.shared"]
        )
        device.install(manifest).run {
            #expect(Password(group: "TEAMID1234.com.app.shared").add() == errSecSuccess)
            #expect(Password(group: "TEAMID1234.com.app.shared").read() == .value)
            #expect(Password(group: "com.app.shared").read() == .notEntitled)
        }
    }

    @Test(
        .requirement("GRP-07"),
        arguments: [(12, errSecItemNotFound), (13, -34018), (26, -34018)]
    )
    func `was not found before iOS 13`(version: Int, expected: OSStatus) throws {
        let device = try SimulatedDevice(system: .iOS(version))
        let foreign = Password(group: "TEAMID1234.com.example.other")
        device.installExample().run {
            #expect(foreign.read().status == expected)
            #expect(foreign.update("another") == expected)
            #expect(foreign.delete() == expected)
            #expect(foreign.add() == errSecMissingEntitlement)
        }
    }

    @Test(.requirement("GRP-11"), arguments: [(true, errSecMissingEntitlement), (false, 0)])
    func `is on a Mac every application group`(isMac: Bool, expected: OSStatus) throws {
        let device = try SimulatedDevice(system: isMac ? .macOS(26) : .iOS(26))
        let app = device.install(`The access group of an item`.entitled)
        app.run {
            #expect(Password(group: "group.com.example").add() == expected)
            #expect(Password(group: "group.com.example").read().status == expected)
            #expect(Password(group: "TEAMID1234.com.example.shared").add() == errSecSuccess)
        }
    }

    @Test(.requirement("GRP-12")) func `hides its items from a search that names none`() throws {
        let device = try SimulatedDevice()
        let sharing = SimulatedApp.Manifest(
            bundleIdentifier: "com.example.first",
            keychainAccessGroups: ["com.example.shared"]
        )
        let other = SimulatedApp.Manifest(
            bundleIdentifier: "com.example.second",
            keychainAccessGroups: ["com.example.own", "com.example.shared"]
        )
        let shared = Password(group: "TEAMID1234.com.example.shared")
        #expect(device.install(sharing).run { shared.add() } == errSecSuccess)
        device.install(other).run {
            #expect(shared.read() == .value)
            #expect(Password().read() == .value)
        }
        device.install(.init(bundleIdentifier: "com.example.third")).run {
            #expect(Password().read() == .notFound)
            #expect(Password().update("another") == errSecItemNotFound)
            #expect(Password().delete() == errSecItemNotFound)
            #expect(shared.read() == .notEntitled)
        }
        #expect(device.install(sharing).run { shared.read() } == .value)
    }

    @Test(.requirement("GRP-18"))
    func `is its host's for an extension that does not declare it`() throws {
        let device = try SimulatedDevice()
        let host = device.install(`The access group of an item`.entitled)
        let shared = Password(group: "TEAMID1234.com.example.shared")
        #expect(host.run { shared.add() } == errSecSuccess)
        let bare = SimulatedApp.Manifest(bundleIdentifier: "com.example.app.widget")
        device.install(bare).run(.background) {
            #expect(statuses(of: shared) == refused)
            #expect(Password().read() == .notFound)
            #expect(Password().add("its own") == errSecSuccess)
        }
        let declared = SimulatedApp.Manifest(
            bundleIdentifier: "com.example.app.share",
            keychainAccessGroups: ["com.example.shared"]
        )
        device.install(declared).run(.background) { #expect(shared.read() == .value) }
        #expect(host.run { Password().read() } == .value)
    }
}

@Suite struct `A program without any group` {
    @Test(
        .requirement("GRP-26", "ERR-11", "MAC-11"),
        arguments: [.iOS(26), .iOS(12), .macOS(26)] as [SystemProfile]
    )
    func `is refused by every function`(system: SystemProfile) throws {
        let device = try SimulatedDevice(system: system)
        let more: [CFString: Any] = [kSecUseDataProtectionKeychain: true]
        device.install(.init(bundleIdentifier: "")).run {
            #expect(Password().add(more) == errSecMissingEntitlement)
            #expect(Password().read(more) == .notEntitled)
            #expect(Password().update([:], where: more) == errSecMissingEntitlement)
            #expect(Password().delete(more) == errSecMissingEntitlement)
            // Before anything else is looked at.
            #expect(SecItemDelete([:] as CFDictionary) == errSecMissingEntitlement)
        }
        device.installExample().run { #expect(Password().add() == errSecSuccess) }
    }
}

extension Password {
    /// Adds with the default value.
    fileprivate func add(_ more: [CFString: Any]) -> OSStatus {
        add("open sesame", accessible: nil, more)
    }
}
