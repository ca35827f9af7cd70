import KeychainSimulator
import LocalAuthentication
import ModelTestSupport
import TestSupport
import Testing

/// ★ A cause of a status: what is done to a device before the item is read.
struct StatusCause: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let flags: SecAccessControlCreateFlags
    let protection: String
    let execution: SimulatedApp.Execution
    let terms: [String: String]
    let prepare: @Sendable (SimulatedDevice) throws -> Void

    init(
        _ description: String,
        _ flags: SecAccessControlCreateFlags,
        _ protection: String = .whenUnlocked,
        _ execution: SimulatedApp.Execution = .foreground,
        _ terms: [String: String] = [:],
        _ prepare: @escaping @Sendable (SimulatedDevice) throws -> Void = { _ in }
    ) {
        testDescription = description
        self.flags = flags
        self.protection = protection
        self.execution = execution
        self.terms = terms
        self.prepare = prepare
    }
}

@Suite struct `The status -25308` {
    private static let causes = [
        StatusCause("locked, WhenUnlocked", []) { $0.lock() },
        StatusCause("locked, WhenUnlocked, gated", .userPresence) { $0.lock() },
        StatusCause("before first unlock, AfterFirstUnlock", [], .afterFirstUnlock) { $0.reboot() },
        StatusCause("before first unlock, gated", .userPresence, .afterFirstUnlock) { $0.reboot() },
        StatusCause("biometry in the background", .biometryAny, .whenUnlocked, .background),
        StatusCause(
            "current biometry in the background",
            .biometryCurrentSet,
            .afterFirstUnlock,
            .background
        ),
        StatusCause("presence in a widget", .userPresence, .afterFirstUnlock, .widget),
        StatusCause(
            "forbidden prompts",
            .devicePasscode,
            String.whenUnlocked,
            .foreground,
            [.useAuthenticationUI: String.interfaceFail]
        ),
    ]

    @Test(.requirement("ERR-02"), arguments: causes)
    func `has each of its causes`(cause: StatusCause) throws {
        let gated = try GatedApp()
        #expect(gated.add(cause.flags, cause.protection as CFString) == errSecSuccess)
        try cause.prepare(gated.device)
        #expect(
            gated.read(cause.execution, context: nil, cause.terms) == errSecInteractionNotAllowed
        )
        #expect(gated.takePrompts() == [])
        try gated.device.unlock(passcode: "0000")
        #expect(gated.read() == errSecSuccess)
    }
}

@Suite struct `The status -25293` {
    private static let causes = [
        StatusCause("a wrong face", .biometryAny) { $0.user.biometric = "stranger" },
        StatusCause("a wrong finger, then a wrong passcode", .userPresence) {
            $0.user = SimulatedUser(biometric: "stranger", passcode: "1111")
        },
        StatusCause("a changed enrolment", .biometryCurrentSet) { try $0.enroll("second") },
        StatusCause("no enrolment", .biometryAny) { try $0.removeEnrollment("owner") },
        StatusCause("a wrong application password", .applicationPassword) {
            $0.user.applicationPassword = "other"
        },
        StatusCause("too many failures", .biometryAny) { device in
            device.user.biometric = "stranger"
            for _ in 1...5 {
                #expect(throws: SimulatorError.self) { try device.unlockWithBiometry() }
            }
            device.user.biometric = "owner"
        },
    ]

    @Test(.requirement("ERR-04"), arguments: causes)
    func `has each of its causes`(cause: StatusCause) throws {
        let gated = try GatedApp()
        gated.device.user.applicationPassword = "pw"
        #expect(gated.add(cause.flags, cause.protection as CFString) == errSecSuccess)
        #expect(gated.read() == errSecSuccess)
        try cause.prepare(gated.device)
        #expect(gated.read() == errSecAuthFailed)
        // The item is still there.
        #expect(gated.addPlain("alice") == errSecDuplicateItem)
    }
}

@Suite struct `The status -50` {
    /// A misuse of an add.
    struct Misuse: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let system: SystemProfile
        let item: @Sendable () -> Attributes

        init(
            _ description: String,
            _ system: SystemProfile = .iOS(26),
            _ item: @escaping @Sendable () -> Attributes
        ) {
            testDescription = description
            self.system = system
            self.item = item
        }
    }

    private static func gated(_ more: Attributes) -> Attributes {
        let control = GatedApp.control(.userPresence)
        return Attributes.mail.with([kSecAttrAccessControl: control as Any]).with(more)
    }

    private static let misuses = [
        Misuse("both accessibility attributes") {
            gated([kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked])
        },
        Misuse("no data protection keychain on a Mac", .macOS(26)) { gated([:]) },
        Misuse("another keychain on a Mac", .macOS(26)) {
            gated([kSecUseDataProtectionKeychain: false])
        },
        Misuse("synchronizable and ThisDeviceOnly") {
            Attributes.mail.with([
                kSecAttrSynchronizable: true,
                kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
            ])
        },
        Misuse("an identity") { .identities.with([kSecAttrLabel: "an identity"]) },
        Misuse("an application tag on a certificate") {
            .certificates.with([kSecAttrApplicationTag: Data("tag".utf8)])
        },
        Misuse("a key without a type") {
            .keys.with([kSecAttrApplicationTag: Data("tag".utf8)])
        },
        Misuse("a value that is no data") { Attributes.mail.with([kSecValueData: "text"]) },
        Misuse("an account that is a date") { Attributes.mail.with([kSecAttrAccount: Date()]) },
        Misuse("an access control that is text") {
            Attributes.mail.with([kSecAttrAccessControl: String.whenUnlocked])
        },
        Misuse("no class") { [kSecAttrAccount: "ada"] },
    ]

    @Test(.requirement("ERR-03"), arguments: misuses)
    func `has each of its causes`(misuse: Misuse) throws {
        let gated = try GatedApp(system: misuse.system)
        gated.app.run {
            var item = misuse.item()
            if item[kSecValueData] == nil { item[kSecValueData] = Data("secret".utf8) }
            #expect(Items.add(item) == errSecParam)
            #expect(Items.find(.mail).status == errSecItemNotFound)
        }
    }

    @Test(.requirement("ERR-03")) func `comes from flags without an operator`() throws {
        let gated = try GatedApp()
        let flags: SecAccessControlCreateFlags = [.biometryCurrentSet, .devicePasscode]
        let outcome = gated.app.run {
            Outcome {
                SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, $0)
            }
        }
        #expect(outcome.isRefusal(errSecParam))
    }

    @Test func `does not come on a Mac that is told which keychain`() throws {
        let gated = try GatedApp(system: .macOS(26))
        let flag: [String: Any] = [kSecUseDataProtectionKeychain as String: true]
        #expect(gated.add(.userPresence, context: nil, flag) == errSecSuccess)
        #expect(gated.read() == errSecSuccess)
        #expect(gated.takePrompts() == [.biometry])
    }

    @Test func `does not come for a Mac's secure element, which has but one keychain`() throws {
        let gated = try GatedApp(system: .macOS(26))
        let control = try #require(gated.control([.privateKeyUsage, .userPresence]))
        let half: Attributes = [kSecAttrIsPermanent: true, kSecAttrAccessControl: control]
        let parameters: Attributes = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
            kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecPrivateKeyAttrs: half,
        ]
        #expect(gated.app.run { Keys.make(parameters) }.status == errSecSuccess)
    }
}
