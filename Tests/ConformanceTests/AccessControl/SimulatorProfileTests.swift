import KeychainSimulator
import LocalAuthentication
import ModelTestSupport
import TestSupport
import Testing

/// ★ What a device refuses and Apple's iOS Simulator does not.
struct Confidence: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let onDevice: OSStatus
    let inSimulator: OSStatus
    let run: @Sendable (GatedApp) throws -> OSStatus

    init(
        _ description: String,
        onDevice: OSStatus,
        inSimulator: OSStatus = errSecSuccess,
        _ run: @escaping @Sendable (GatedApp) throws -> OSStatus
    ) {
        testDescription = description
        self.onDevice = onDevice
        self.inSimulator = inSimulator
        self.run = run
    }

    static let all = [
        Confidence("WhenUnlocked while locked", onDevice: -25308) { gated in
            _ = gated.addPlain("alice")
            gated.device.lock()
            return gated.read(.background)
        },
        Confidence("AfterFirstUnlock before it", onDevice: -25308) { gated in
            _ = gated.addPlain("alice", kSecAttrAccessibleAfterFirstUnlock)
            gated.device.reboot()
            return gated.read(.background)
        },
        Confidence("biometry in the background", onDevice: -25308) { gated in
            _ = gated.add(.biometryAny)
            return gated.read(.background)
        },
        Confidence("biometry of a stranger", onDevice: -25293) { gated in
            _ = gated.add(.biometryAny)
            gated.device.user = SimulatedUser(biometric: "stranger")
            return gated.read()
        },
        Confidence("a changed enrolment", onDevice: -25293) { gated in
            _ = gated.add(.biometryCurrentSet)
            try gated.device.enroll("second")
            return gated.read()
        },
        Confidence("cancel", onDevice: -128) { gated in
            _ = gated.add(.userPresence)
            gated.device.user.cancels = true
            return gated.read()
        },
        Confidence("a wrong application password", onDevice: -25293) { gated in
            gated.device.user.applicationPassword = "pw"
            _ = gated.add(.applicationPassword)
            gated.device.user.applicationPassword = "other"
            return gated.read()
        },
        Confidence("a removed passcode", onDevice: -25300) { gated in
            _ = gated.addPlain("alice", kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly)
            try gated.device.removePasscode(current: "0000")
            return gated.read()
        },
        Confidence("a foreign group", onDevice: -34018) { gated in
            var item = GatedApp.query()
            item[kSecAttrAccessGroup as String] = "TEAM.another"
            item[kSecValueData as String] = Data("secret of alice".utf8)
            return gated.app.run { SecItemAdd(item as CFDictionary, nil) }
        },
        Confidence("skipping gated items", onDevice: -25300) { gated in
            _ = gated.add(.userPresence)
            return gated.read(context: nil, [.useAuthenticationUI: String.interfaceSkip])
        },
    ]
}

@Suite struct `A test that passes in Apple's iOS Simulator` {
    @Test(.requirement("SIM-16"), arguments: Confidence.all)
    func `says nothing about a device`(row: Confidence) throws {
        let device = try GatedApp()
        #expect(try row.run(device) == row.onDevice)
        let simulator = try GatedApp(system: .iOSSimulator)
        #expect(try row.run(simulator) == row.inSimulator)
        #expect(simulator.takePrompts() == [])
    }

    @Test(.requirement("SIM-16"))
    func `was not asked anything by a policy either`() async throws {
        let simulator = try GatedApp(system: .iOSSimulator)
        simulator.device.user = SimulatedUser(biometric: "stranger", cancels: true)
        #expect(await simulator.evaluate(.deviceOwnerAuthentication) == nil)
        #expect(await simulator.evaluate(.deviceOwnerAuthenticationWithBiometrics) == nil)
        #expect(simulator.takePrompts() == [])
        let without = try GatedApp(biometry: .none, system: .iOSSimulator)
        #expect(
            await without.evaluate(.deviceOwnerAuthenticationWithBiometrics)
                == .biometryNotAvailable
        )
    }
}
