import KeychainSimulator
import LocalAuthentication
import TestSupport
import Testing

@Suite struct `Stolen Device Protection` {
    private func awayFromHome(_ system: SystemProfile = .iOS(26)) throws -> GatedApp {
        let gated = try GatedApp(system: system)
        #expect(gated.add(.userPresence) == errSecSuccess)
        #expect(gated.add(.devicePasscode, account: "bob") == errSecSuccess)
        gated.device.isAtFamiliarLocation = false
        return gated
    }

    @Test(.requirement("BIO-22"), arguments: [true, false])
    func `takes biometry and no passcode away from familiar places`(isFamiliar: Bool) throws {
        let gated = try awayFromHome()
        #expect(gated.device.hasStolenDeviceProtection)
        gated.device.isAtFamiliarLocation = isFamiliar
        #expect(gated.read() == errSecSuccess)
        #expect(gated.takePrompts() == [.biometry])
        gated.device.user.biometric = "stranger"
        #expect(gated.read() == (isFamiliar ? errSecSuccess : errSecAuthFailed))
        #expect(gated.takePrompts() == (isFamiliar ? [.biometry, .passcode] : [.biometry]))
        #expect(gated.read(account: "bob") == (isFamiliar ? errSecSuccess : errSecAuthFailed))
        #expect(gated.takePrompts() == (isFamiliar ? [.passcode] : []))
    }

    @Test(.requirement("BIO-22", "ACC-37"), arguments: [18, 25, 26, 27])
    func `is on by default from iOS 26, and exists on none before`(version: Int) throws {
        let gated = try awayFromHome(.iOS(version))
        let hasIt = version >= 26
        #expect(gated.device.hasStolenDeviceProtection == hasIt)
        gated.device.user.biometric = nil
        #expect(gated.read() == (hasIt ? errSecAuthFailed : errSecSuccess))
        gated.device.hasStolenDeviceProtection = true
        #expect(gated.device.hasStolenDeviceProtection == hasIt)
        gated.device.hasStolenDeviceProtection = false
        #expect(gated.read() == errSecSuccess)
    }

    @Test(.requirement("BIO-22"))
    func `takes no passcode that was proven at home either`() async throws {
        let gated = try GatedApp()
        #expect(gated.add(.userPresence) == errSecSuccess)
        let context = LAContext()
        gated.device.script(.fallback, .type("0000"))
        #expect(await gated.evaluate(.deviceOwnerAuthentication, context) == nil)
        #expect(gated.read(.background, context: context) == errSecSuccess)
        gated.device.isAtFamiliarLocation = false
        #expect(gated.read(.background, context: context) == errSecInteractionNotAllowed)
    }

    @Test func `lets the passcode unlock the device and open plain items`() throws {
        let gated = try awayFromHome()
        #expect(gated.addPlain() == errSecSuccess)
        gated.device.lock()
        try gated.device.unlock(passcode: "0000")
        #expect(gated.read(account: "plain") == errSecSuccess)
    }
}

@Suite struct `A paired device nearby` {
    private let flags: SecAccessControlCreateFlags = [.biometryAny, .or, .companion]

    @Test(.requirement("BIO-23"))
    func `confirms in the stead of a face`() throws {
        let gated = try GatedApp()
        #expect(gated.add(flags) == errSecSuccess)
        #expect(gated.read() == errSecSuccess)
        #expect(gated.takePrompts() == [.biometry])
        gated.device.user.biometric = "stranger"
        #expect(gated.read() == errSecAuthFailed)
        #expect(gated.takePrompts() == [.biometry])
        gated.device.user.hasCompanion = true
        #expect(gated.read() == errSecSuccess)
        #expect(gated.takePrompts() == [.biometry, .companion])
        gated.device.user.biometric = "owner"
        gated.device.script(.present("stranger"), .ignore)
        #expect(gated.read() == errSecAuthFailed)
        gated.device.script(.fallback, .cancel)
        #expect(gated.read() == errSecUserCanceled)
    }

    @Test(.requirement("BIO-23"), arguments: [true, false])
    func `is enough alone, where that is asked`(isNearby: Bool) async throws {
        let gated = try GatedApp()
        #expect(gated.add(.companion) == errSecSuccess)
        gated.device.user.hasCompanion = isNearby
        #expect(gated.read() == (isNearby ? errSecSuccess : errSecAuthFailed))
        #expect(gated.takePrompts() == (isNearby ? [.companion] : []))
        let code = await gated.evaluate(.deviceOwnerAuthenticationWithCompanion)
        #expect(code == (isNearby ? nil : .companionNotAvailable))
    }

    @Test(.requirement("BIO-23"))
    func `confirms nothing between a restart and the passcode`() async throws {
        let gated = try GatedApp()
        gated.device.user.hasCompanion = true
        gated.device.reboot()
        #expect(
            await gated.evaluate(.deviceOwnerAuthenticationWithCompanion)
                == .companionNotAvailable
        )
        try gated.device.unlock(passcode: "0000")
        #expect(await gated.evaluate(.deviceOwnerAuthenticationWithCompanion) == nil)
    }

    @Test(.requirement("BIO-23", "ACC-37"), arguments: [17, 18])
    func `came with iOS 18`(version: Int) throws {
        let gated = try GatedApp(system: .iOS(version))
        gated.device.user.hasCompanion = true
        #expect((gated.control(flags) != nil) == (version >= 18))
    }
}
