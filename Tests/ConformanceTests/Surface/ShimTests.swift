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

    @Test(.requirement("API-20"), .contradiction("constant-names"))
    func `compile the C spellings of Apple's article`() throws {
        // A device follows the documents, whatever this process did before.
        let app = try SimulatedDevice().install(.init(bundleIdentifier: "com.example.app"))
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
        let refused = app.run {
            SecAccessControlCreateWithFlags(
                NULL,
                kSecAttrAccessibleWhenUnlocked,
                kSecAccessControlBiometryAny | kSecAccessControlDevicePasscode,
                &error
            )
        }
        #expect(refused == nil)
        #expect(error?.code == Int(errSecParam))
    }

    /// ★ The four cases with Apple's names; that this compiles is half of the proof.
    private static let fileProtectionTypes: [(FileProtectionType, String)] = [
        (.complete, "NSFileProtectionComplete"),
        (.completeUnlessOpen, "NSFileProtectionCompleteUnlessOpen"),
        (
            .completeUntilFirstUserAuthentication,
            "NSFileProtectionCompleteUntilFirstUserAuthentication"
        ),
        (.none, "NSFileProtectionNone"),
    ]

    @Test(.requirement("API-21"), arguments: fileProtectionTypes)
    func `know the four file protection types by Apple's names`(
        type: FileProtectionType,
        name: String
    ) {
        #expect(type.rawValue == name)
    }
}
