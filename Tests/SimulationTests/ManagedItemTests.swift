import KeychainServices
import KeychainSimulator
import ModelTestSupport
import TestSupport
import Testing

@Suite struct `An item that device management installs` {
    private static let password = SimulatedDevice.ManagedPassword(
        "from the office",
        service: "vpn",
        account: "ada"
    )

    /// ★ A system, and the accessibility of an item that names none.
    private static let systems: [(system: SystemProfile, accessible: String)] = [
        (.iOS(8), .always), (.iOS(14), .always),
        (.iOS(15), .afterFirstUnlockThisDeviceOnly), (.iOS(26), .afterFirstUnlockThisDeviceOnly),
        (.tvOS(14), .always), (.tvOS(15), .afterFirstUnlockThisDeviceOnly),
        (.watchOS(7), .always), (.watchOS(8), .afterFirstUnlockThisDeviceOnly),
        (.catalyst(11), .always), (.catalyst(12), .afterFirstUnlockThisDeviceOnly),
        (.macOS(26), .afterFirstUnlockThisDeviceOnly),
    ]

    @Test(.requirement("ACC-36"), arguments: systems)
    func `has the accessibility of its system`(system: SystemProfile, accessible: String) throws {
        let phone = try Phone(system)
        try phone.device.installManaged(Self.password, for: phone.app)
        let (status, item) = phone.find("ada")
        #expect(status == errSecSuccess)
        #expect(item[kSecAttrAccessible as String] as? String == accessible)
        #expect(item[kSecValueData as String] as? Data == Data("from the office".utf8))
        #expect(phone.device.findings.isEmpty)
    }

    @Test(.requirement("ACC-36"), arguments: [14, 15])
    func `is readable before the first unlock up to iOS 14`(version: Int) throws {
        let phone = try Phone(.iOS(version))
        try phone.device.installManaged(Self.password, for: phone.app)
        phone.device.reboot()
        let expected = version < 15 ? errSecSuccess : errSecInteractionNotAllowed
        #expect(phone.find("ada").status == expected)
        try phone.device.unlock(passcode: "0000")
        phone.device.lock()
        #expect(phone.find("ada").status == errSecSuccess)
    }

    @Test(.requirement("ACC-36"), arguments: [14, 15])
    func `moves to another phone up to iOS 14`(version: Int) throws {
        let phone = try Phone(.iOS(version))
        try phone.device.installManaged(Self.password, for: phone.app)
        let other = try Phone(.iOS(version))
        try phone.device.migrate(to: other.device)
        #expect(other.find("ada").status == (version < 15 ? errSecSuccess : errSecItemNotFound))
    }

    @Test func `has the accessibility that it names`() throws {
        let phone = try Phone()
        var password = Self.password
        password.accessibility = .allCases.first { $0.value == .whenUnlocked }
        try phone.device.installManaged(password, for: phone.app)
        let found = phone.find("ada").item[kSecAttrAccessible as String] as? String
        #expect(found == kSecAttrAccessibleWhenUnlocked as String)
    }

    @Test func `is installed once, and for apps that are there`() throws {
        let phone = try Phone()
        try phone.device.installManaged(Self.password, for: phone.app)
        let again = #expect(throws: SimulatorError.self) {
            try phone.device.installManaged(Self.password, for: phone.app)
        }
        #expect(again?.status == errSecDuplicateItem)
        phone.device.uninstall(phone.app)
        let gone = #expect(throws: SimulatorError.self) {
            try phone.device.installManaged(Self.password, for: phone.app)
        }
        #expect(gone?.status == errSecMissingEntitlement)
    }
}
