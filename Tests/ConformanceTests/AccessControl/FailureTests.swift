import KeychainSimulator
import LocalAuthentication
import ModelTestSupport
import TestSupport
import Testing

@Suite struct `The dialog of a gated item` {
    @Test(
        .requirement("BIO-05", "ERR-07"),
        arguments: [SecAccessControlCreateFlags.biometryAny, .devicePasscode, .userPresence]
            .map(\.rawValue)
    )
    func `can be canceled, and the item stays`(flags: SecAccessControlCreateFlags.RawValue) throws {
        let gated = try GatedApp()
        #expect(gated.add(SecAccessControlCreateFlags(rawValue: flags)) == errSecSuccess)
        gated.device.user.cancels = true
        #expect(gated.read() == errSecUserCanceled)
        #expect(gated.update([.label: "new"]) == errSecUserCanceled)
        #expect(gated.takePrompts().count == 2)
        gated.device.user.cancels = false
        #expect(gated.read() == errSecSuccess)
    }

    @Test(.requirement("ERR-07")) func `can be canceled at the second question`() throws {
        let gated = try GatedApp()
        #expect(gated.add([.biometryAny, .and, .devicePasscode]) == errSecSuccess)
        gated.device.script(.present("owner"), .cancel)
        #expect(gated.read() == errSecUserCanceled)
        gated.device.user.applicationPassword = "pw"
        gated.device.script(.cancel)
        #expect(gated.add(.applicationPassword, account: "bob") == errSecUserCanceled)
        #expect(gated.read(account: "bob") == errSecItemNotFound)
    }

    @Test(.requirement("BIO-06")) func `fails for another face`() throws {
        let gated = try GatedApp()
        #expect(gated.add(.biometryAny) == errSecSuccess)
        gated.device.script(.present("stranger"))
        #expect(gated.read() == errSecAuthFailed)
        #expect(gated.read() == errSecSuccess)
        gated.device.user.biometric = nil
        #expect(gated.read() == errSecAuthFailed)
    }

    /// ★ What is done about a prompt for biometry with a passcode behind it, and what comes of it.
    private static let answers: [(name: String, script: [PromptResponse], OSStatus, Int)] = [
        ("success", [.present("owner")], errSecSuccess, 1),
        ("failure, then success", [.present("x"), .type("0000")], errSecSuccess, 2),
        ("failure twice", [.present("x"), .type("1111")], errSecAuthFailed, 2),
        ("cancel", [.cancel], errSecUserCanceled, 1),
        ("fallback, then success", [.fallback, .type("0000")], errSecSuccess, 2),
        ("fallback, then a wrong passcode", [.fallback, .type("1")], errSecAuthFailed, 2),
        ("fallback, then cancel", [.fallback, .cancel], errSecUserCanceled, 2),
        ("timeout twice", [.ignore, .ignore], errSecAuthFailed, 2),
        ("interruption", [.interrupt], errSecAuthFailed, 1),
        ("approval where none is asked for", [.approve, .approve], errSecAuthFailed, 2),
        ("a text for a face", [.type("0000"), .ignore], errSecAuthFailed, 2),
    ]

    @Test(.requirement("SIM-14"), arguments: answers)
    func `follows its script, and a log tells of it`(
        name: String,
        script: [PromptResponse],
        status: OSStatus,
        promptCount: Int
    ) throws {
        let gated = try GatedApp()
        #expect(gated.add(.userPresence) == errSecSuccess)
        for response in script { gated.device.script(response) }
        #expect(gated.read() == status)
        let prompts = gated.device.prompts
        #expect(prompts.map(\.kind) == Array([.biometry, .passcode].prefix(promptCount)))
        gated.device.removePrompts()
        #expect(gated.device.prompts.isEmpty)
        #expect(gated.read() == errSecSuccess)
        #expect(gated.takePrompts() == [.biometry])
    }

    @Test(.requirement("SIM-14"))
    func `follows a queue over several reads, up to the lockout and out of it`() throws {
        let gated = try GatedApp()
        #expect(gated.add(.biometryAny) == errSecSuccess)
        for _ in 1...5 { gated.device.script(.present("stranger")) }
        for _ in 1...5 { #expect(gated.read() == errSecAuthFailed) }
        #expect(gated.takePrompts() == Array(repeating: .biometry, count: 5))
        #expect(gated.read() == errSecAuthFailed)
        #expect(gated.takePrompts() == [])
        gated.device.lock()
        try gated.device.unlock(passcode: "0000")
        #expect(gated.read() == errSecSuccess)
        #expect(gated.device.prompts.map(\.answer) == [.presented("owner")])
    }

    @Test(.requirement("SIM-14")) func `leaves a log without what was typed`() throws {
        let gated = try GatedApp()
        #expect(gated.add(.devicePasscode) == errSecSuccess)
        gated.device.script(.type("marker-passcode"), .type("0000"))
        #expect(gated.read() == errSecAuthFailed)
        #expect(gated.read() == errSecSuccess)
        #expect(gated.device.prompts.map(\.answer) == [.typed, .typed])
        #expect(!"\(gated.device.prompts)".contains("marker"))
        #expect(!"\(gated.device.findings)".contains("marker"))
    }

    @Test func `has no button for another way where there is none`() throws {
        let gated = try GatedApp()
        #expect(gated.add(.biometryAny) == errSecSuccess)
        gated.device.script(.fallback)
        #expect(gated.read() == errSecAuthFailed)
        #expect(gated.device.prompts.map(\.answer) == [.ignored])
        #expect(gated.device.prompts.map(\.offersFallback) == [false])
    }

    @Test func `counts a wrong passcode, and waits after too many`() throws {
        let gated = try GatedApp()
        #expect(gated.add(.devicePasscode) == errSecSuccess)
        gated.device.user.passcode = "1111"
        for _ in 1...5 { #expect(gated.read() == errSecAuthFailed) }
        #expect(gated.takePrompts().count == 5)
        gated.device.user.passcode = "0000"
        #expect(gated.read() == errSecAuthFailed)
        #expect(gated.takePrompts() == [])
        gated.device.advance(by: .seconds(3600))
        #expect(gated.read() == errSecSuccess)
    }
}

@Suite struct `An error of an evaluation` {
    /// A situation, and the code that Apple documents for it.
    struct Situation: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: LAError.Code
        let policy: LAPolicy
        let passcode: String?
        let biometry: SimulatedDevice.Biometry
        let prepare: @Sendable (SimulatedDevice) throws -> Void

        init(
            _ description: String,
            _ code: LAError.Code,
            _ policy: LAPolicy = .deviceOwnerAuthenticationWithBiometrics,
            passcode: String? = "0000",
            biometry: SimulatedDevice.Biometry = .faceID,
            _ prepare: @escaping @Sendable (SimulatedDevice) throws -> Void = { _ in }
        ) {
            testDescription = description
            self.code = code
            self.policy = policy
            self.passcode = passcode
            self.biometry = biometry
            self.prepare = prepare
        }
    }

    private static let situations = [
        Situation("another face", .authenticationFailed) { $0.script(.present("stranger")) },
        Situation("a wrong passcode", .authenticationFailed, .deviceOwnerAuthentication) {
            $0.script(.present("stranger"), .type("1111"))
        },
        Situation("nobody there", .authenticationFailed) { $0.script(.ignore) },
        Situation("cancel", .userCancel) { $0.script(.cancel) },
        Situation("fallback", .userFallback) { $0.script(.fallback) },
        Situation(
            "fallback beside a companion that is not there",
            .userFallback,
            .deviceOwnerAuthenticationWithBiometricsOrCompanion
        ) { $0.script(.fallback) },
        Situation("another app in front", .systemCancel) { $0.script(.interrupt) },
        Situation("a lock", .systemCancel) {
            $0.script(.after({ $0.lock() }, .present("owner")))
        },
        Situation("no passcode", .passcodeNotSet, .deviceOwnerAuthentication, passcode: nil),
        Situation("no passcode for biometry", .passcodeNotSet, passcode: nil),
        Situation("no sensor", .biometryNotAvailable, biometry: .none),
        Situation("nobody enrolled", .biometryNotEnrolled) { try $0.removeEnrollment("owner") },
        Situation("lockout", .biometryLockout) { device in
            device.user.biometric = "stranger"
            for _ in 1...5 {
                #expect(throws: SimulatorError.self) { try device.unlockWithBiometry() }
            }
            device.user.biometric = "owner"
        },
        Situation(
            "no companion",
            .companionNotAvailable,
            .deviceOwnerAuthenticationWithCompanion
        ),
    ]

    @Test(.requirement("BIO-13"), arguments: situations)
    func `has the code of its situation`(situation: Situation) async throws {
        let gated = try GatedApp(passcode: situation.passcode, biometry: situation.biometry)
        try situation.prepare(gated.device)
        #expect(await gated.evaluate(situation.policy) == situation.code)
    }

    @Test(.requirement("BIO-13"))
    func `has a sentence for people and Apple's domain`() async throws {
        let gated = try GatedApp()
        gated.device.script(.cancel)
        do {
            try await gated.app.run {
                _ = try await LAContext().evaluatePolicy(
                    .deviceOwnerAuthentication,
                    localizedReason: "to open the vault"
                )
            }
            Issue.record("nothing was thrown")
        } catch {
            let object = error as NSError
            #expect(object.domain == "com.apple.LocalAuthentication")
            #expect(object.code == -2)
            #expect(!object.localizedDescription.isEmpty)
        }
    }
}
