import ApplicationShim
import KeychainSimulator
import Security
import SecurityDocCompat
import TestSupport
import Testing

@Suite struct `The modules for code that needs a little more` {
    @Test(.requirement("API-18", "ACC-31")) @MainActor
    func `tell whether protected data is available as the device does`() throws {
        let device = try SimulatedDevice()
        let app = device.install(.init(bundleIdentifier: "com.example.app"))
        let isAvailable = { app.run { UIApplication.shared.isProtectedDataAvailable } }
        #expect(isAvailable())
        device.lock()
        #expect(!isAvailable())
        try device.unlock(passcode: "0000")
        #expect(isAvailable())
        device.reboot()
        #expect(!isAvailable())
    }

    @Test(.requirement("API-18"))
    func `name the notifications that the device posts`() {
        #expect(
            UIApplication.protectedDataDidBecomeAvailableNotification
                == SimulatedDevice.protectedDataDidBecomeAvailableNotification
        )
        #expect(
            UIApplication.protectedDataWillBecomeUnavailableNotification
                == SimulatedDevice.protectedDataWillBecomeUnavailableNotification
        )
    }

    @Test(.requirement("API-20"))
    func `compile the C spellings of Apple's article`() {
        var error: NSError?
        let presence = SecAccessControlCreateWithFlags(
            NULL,
            kSecAttrAccessibleWhenUnlocked,
            kSecAccessControlUserPresence,
            &error
        )
        #expect(presence != nil)
        let layered = SecAccessControlCreateWithFlags(
            NULL,
            kSecAttrAccessibleWhenPasscodeSet,
            kSecAccessControlBiometryAny | kSecAccessControlApplicationPassword,
            &error
        )
        #expect(layered != nil)
        #expect(error == nil)
        let refused = SecAccessControlCreateWithFlags(
            NULL,
            kSecAttrAccessibleWhenUnlocked,
            kSecAccessControlBiometryAny | kSecAccessControlDevicePasscode,
            &error
        )
        #expect(refused == nil)
        #expect(error?.code == Int(errSecParam))
    }

    @Test(
        .requirement("API-21"),
        arguments: [
            FileProtectionType.complete, .completeUnlessOpen, .completeUntilFirstUserAuthentication,
            .none,
        ]
    )
    func `know the four file protection types`(type: FileProtectionType) {
        #expect(!type.rawValue.isEmpty)
    }
}
