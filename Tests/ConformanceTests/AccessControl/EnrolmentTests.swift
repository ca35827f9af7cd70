import KeychainSimulator
import LocalAuthentication
import ModelTestSupport
import TestSupport
import Testing

/// ★ The ways in which an enrolment changes.
enum EnrolmentChange: String, Sendable, CaseIterable {
    case another, removed, again, anotherAndBack

    /// Makes the change; afterwards the owner is enrolled, except after `removed`.
    func make(on device: SimulatedDevice) throws {
        switch self {
        case .another: try device.enroll("second")
        case .removed: try device.removeEnrollment("owner")
        case .again:
            try device.removeEnrollment("owner")
            try device.enroll("owner")
        case .anotherAndBack:
            try device.enroll("second")
            try device.removeEnrollment("second")
        }
    }
}

@Suite struct `A change of the enrolment` {
    @Test(
        .requirement("SAC-09", "SAC-28", "SIM-05", "BIO-21"),
        arguments: EnrolmentChange.allCases,
        [SimulatedDevice.Biometry.faceID, .touchID]
    )
    func `shuts what is bound to the set before, and nothing else`(
        change: EnrolmentChange,
        biometry: SimulatedDevice.Biometry
    ) throws {
        let gated = try GatedApp(biometry: biometry)
        #expect(gated.add(.biometryCurrentSet) == errSecSuccess)
        #expect(gated.add(.biometryAny, account: "any") == errSecSuccess)
        #expect(gated.read() == errSecSuccess)
        _ = gated.takePrompts()
        try change.make(on: gated.device)
        #expect(gated.read() == errSecAuthFailed)
        #expect(gated.takePrompts() == [])
        let isEnrolled = change != .removed
        let others = isEnrolled ? errSecSuccess : errSecAuthFailed
        #expect(gated.read(account: "any") == others)
        if !isEnrolled { try gated.device.enroll("owner") }
        #expect(gated.read() == errSecAuthFailed)
        #expect(gated.add(.biometryCurrentSet) == errSecDuplicateItem)
        #expect(gated.add(.biometryCurrentSet, account: "new") == errSecSuccess)
        #expect(gated.read(account: "new") == errSecSuccess)
    }

    @Test(.requirement("SAC-28", "SIM-05"), arguments: EnrolmentChange.allCases)
    func `makes it absent in Apple's source, while it can still be deleted`(
        change: EnrolmentChange
    ) throws {
        let gated = try GatedApp(behavior: .appleSource)
        #expect(gated.add(.biometryCurrentSet) == errSecSuccess)
        #expect(gated.read() == errSecSuccess)
        try change.make(on: gated.device)
        #expect(gated.read() == errSecItemNotFound)
        #expect(gated.update([.label: "new"]) == errSecItemNotFound)
        #expect(gated.delete() == errSecSuccess)
        #expect(gated.delete() == errSecItemNotFound)
    }

    @Test func `outlasts a restart and a new passcode`() throws {
        let gated = try GatedApp()
        #expect(gated.add(.biometryCurrentSet) == errSecSuccess)
        #expect(gated.add(.biometryAny, account: "any") == errSecSuccess)
        gated.device.reboot()
        try gated.device.unlock(passcode: "0000")
        try gated.device.setPasscode("1111", current: "0000")
        #expect(gated.read() == errSecSuccess)
        #expect(gated.read(account: "any") == errSecSuccess)
        try gated.device.enroll("second")
        gated.device.reboot()
        try gated.device.unlock(passcode: "1111")
        #expect(gated.read() == errSecAuthFailed)
        #expect(gated.read(account: "any") == errSecSuccess)
    }

    @Test(arguments: [SecAccessControlCreateFlags.or, .and].map(\.rawValue))
    func `leaves the other half of a pair`(joining: SecAccessControlCreateFlags.RawValue) throws {
        let gated = try GatedApp()
        let joining = SecAccessControlCreateFlags(rawValue: joining)
        #expect(gated.add([.biometryCurrentSet, joining, .devicePasscode]) == errSecSuccess)
        try gated.device.enroll("second")
        #expect(gated.read() == (joining == .or ? errSecSuccess : errSecAuthFailed))
        #expect(gated.takePrompts() == (joining == .or ? [.passcode] : []))
    }

    @Test func `is refused for a face that is enrolled already, or is not`() throws {
        let gated = try GatedApp()
        #expect(gated.add(.biometryCurrentSet) == errSecSuccess)
        let twice = #expect(throws: SimulatorError.self) { try gated.device.enroll("owner") }
        #expect(twice?.status == errSecParam)
        let unknown = #expect(throws: SimulatorError.self) {
            try gated.device.removeEnrollment("stranger")
        }
        #expect(unknown?.status == errSecParam)
        #expect(gated.read() == errSecSuccess)
    }
}

@Suite struct `Five failures of biometry` {
    private func lockedOut(_ biometry: SimulatedDevice.Biometry = .faceID) throws -> GatedApp {
        let gated = try GatedApp(biometry: biometry)
        #expect(gated.add(.biometryAny) == errSecSuccess)
        #expect(gated.add(.userPresence, account: "either") == errSecSuccess)
        gated.device.user.biometric = "stranger"
        for _ in 1...5 { #expect(gated.read() == errSecAuthFailed) }
        #expect(gated.takePrompts() == Array(repeating: .biometry, count: 5))
        gated.device.user.biometric = "owner"
        return gated
    }

    @Test(.requirement("BIO-15"), arguments: [SimulatedDevice.Biometry.faceID, .touchID])
    func `lock it out until a passcode succeeds`(biometry: SimulatedDevice.Biometry) throws {
        let gated = try lockedOut(biometry)
        #expect(gated.read() == errSecAuthFailed)
        #expect(gated.takePrompts() == [])
        #expect(
            gated.canEvaluate(.deviceOwnerAuthenticationWithBiometrics) == .biometryLockout
        )
        gated.device.user.passcode = "1111"
        #expect(gated.read(account: "either") == errSecAuthFailed)
        #expect(gated.takePrompts() == [.passcode])
        #expect(gated.read() == errSecAuthFailed)
        gated.device.user.passcode = "0000"
        #expect(gated.read(account: "either") == errSecSuccess)
        #expect(gated.takePrompts() == [.passcode])
        #expect(gated.canEvaluate(.deviceOwnerAuthenticationWithBiometrics) == nil)
        #expect(gated.read() == errSecSuccess)
    }

    @Test(.requirement("BIO-15")) func `are forgotten with a match before the fifth`() throws {
        let gated = try GatedApp()
        #expect(gated.add(.biometryAny) == errSecSuccess)
        for _ in 1...3 {
            gated.device.user.biometric = "stranger"
            for _ in 1...4 { #expect(gated.read() == errSecAuthFailed) }
            gated.device.user.biometric = "owner"
            #expect(gated.read() == errSecSuccess)
        }
    }

    @Test(.requirement("BIO-15"))
    func `last through a restart, time, enrolment and a lock`() throws {
        let gated = try lockedOut()
        gated.device.lock()
        #expect(throws: SimulatorError.self) { try gated.device.unlockWithBiometry() }
        gated.device.advance(by: .seconds(86_400))
        #expect(throws: SimulatorError.self) { try gated.device.unlockWithBiometry() }
        try gated.device.enroll("second")
        #expect(throws: SimulatorError.self) { try gated.device.unlockWithBiometry() }
        gated.device.reboot()
        #expect(throws: SimulatorError.self) { try gated.device.unlockWithBiometry() }
        try gated.device.unlock(passcode: "0000")
        #expect(gated.read() == errSecSuccess)
        gated.device.lock()
        try gated.device.unlockWithBiometry()
        #expect(gated.device.state == .unlocked)
    }

    @Test(.requirement("BIO-15")) func `count at the lock screen as well`() throws {
        let gated = try GatedApp()
        #expect(gated.add(.biometryAny) == errSecSuccess)
        gated.device.lock()
        gated.device.user.biometric = "stranger"
        for _ in 1...5 {
            #expect(throws: SimulatorError.self) { try gated.device.unlockWithBiometry() }
        }
        gated.device.user.biometric = "owner"
        #expect(throws: SimulatorError.self) { try gated.device.unlockWithBiometry() }
        #expect(gated.device.state == .locked)
        try gated.device.unlock(passcode: "0000")
        #expect(gated.read() == errSecSuccess)
    }

    @Test func `are not made by a cancel, a fallback or a prompt that nobody answers`() throws {
        let gated = try GatedApp()
        #expect(gated.add(.biometryAny) == errSecSuccess)
        for _ in 1...6 {
            gated.device.script(.cancel, .ignore, .fallback, .interrupt)
            #expect(gated.read() == errSecUserCanceled)
            for _ in 1...3 { #expect(gated.read() == errSecAuthFailed) }
        }
        #expect(gated.read() == errSecSuccess)
    }

    @Test func `wait for the passcode after a restart as well`() throws {
        let gated = try GatedApp()
        gated.device.reboot()
        let error = #expect(throws: SimulatorError.self) {
            try gated.device.unlockWithBiometry()
        }
        #expect(error?.status == errSecAuthFailed)
        #expect(gated.device.state == .beforeFirstUnlock)
    }
}
