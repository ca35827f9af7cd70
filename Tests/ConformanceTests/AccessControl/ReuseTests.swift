import KeychainSimulator
import LocalAuthentication
import ModelTestSupport
import TestSupport
import Testing

@Suite struct `A match of a face or finger` {
    @Test(.requirement("BIO-01"), arguments: [LAContext?.none, LAContext()])
    func `counts for one read without a reuse duration`(context: LAContext?) throws {
        let gated = try GatedApp()
        #expect(gated.add(.biometryAny) == errSecSuccess)
        #expect(gated.read(context: context) == errSecSuccess)
        #expect(gated.read(context: context) == errSecSuccess)
        #expect(gated.takePrompts() == [.biometry, .biometry])
    }

    /// ★ When a prompt is shown again: the duration, and seconds after the match.
    private static let windows: [(duration: TimeInterval, seconds: Int, isReused: Bool)] = [
        (duration: 10, seconds: 0, isReused: true),
        (duration: 10, seconds: 9, isReused: true),
        (duration: 10, seconds: 10, isReused: true),
        (duration: 10, seconds: 11, isReused: false),
        (duration: 300, seconds: 300, isReused: true),
        (duration: 300, seconds: 301, isReused: false),
        (duration: 3600, seconds: 300, isReused: true),
        (duration: 3600, seconds: 301, isReused: false),
        (duration: 0, seconds: 0, isReused: false),
        (duration: -5, seconds: 0, isReused: false),
        (duration: .nan, seconds: 0, isReused: false),
    ]

    @Test(.requirement("BIO-02", "BIO-03", "SIM-15"), arguments: windows)
    func `is reused for as long as the context allows, and 5 minutes at most`(
        duration: TimeInterval,
        seconds: Int,
        isReused: Bool
    ) throws {
        let gated = try GatedApp(biometry: .touchID)
        #expect(gated.add(.biometryAny) == errSecSuccess)
        let context = LAContext()
        context.touchIDAuthenticationAllowableReuseDuration = duration
        #expect(gated.read(context: context) == errSecSuccess)
        #expect(gated.takePrompts() == [.biometry])
        gated.device.advance(by: .seconds(seconds))
        #expect(gated.read(context: context) == errSecSuccess)
        #expect(gated.takePrompts() == (isReused ? [] : [.biometry]))
    }

    @Test(.requirement("BIO-02"))
    func `is not made younger by its reuse, but by the next match`() throws {
        let gated = try GatedApp()
        #expect(gated.add(.biometryAny) == errSecSuccess)
        let context = LAContext()
        context.touchIDAuthenticationAllowableReuseDuration = 10
        var shown: [Int] = []
        for second in stride(from: 0, through: 22, by: 1) {
            if second > 0 { gated.device.advance(by: .seconds(1)) }
            guard second == 0 || second >= 9, second != 10 else { continue }
            #expect(gated.read(context: context) == errSecSuccess)
            if !gated.takePrompts().isEmpty { shown.append(second) }
        }
        #expect(shown == [0, 11, 22])
    }

    @Test(.requirement("BIO-02"), .contradiction("reuse-duration"))
    func `that unlocked the device is reused as well`() throws {
        let gated = try GatedApp(biometry: .touchID)
        #expect(gated.add(.biometryCurrentSet) == errSecSuccess)
        gated.device.lock()
        try gated.device.unlockWithBiometry()
        let context = LAContext()
        context.touchIDAuthenticationAllowableReuseDuration = 10
        gated.device.advance(by: .seconds(9))
        #expect(gated.read(context: context) == errSecSuccess)
        #expect(gated.takePrompts() == [])
        #expect(gated.read(context: LAContext()) == errSecSuccess)
        #expect(gated.takePrompts() == [.biometry])
        gated.device.advance(by: .seconds(2))
        #expect(gated.read(context: context) == errSecSuccess)
        #expect(gated.takePrompts() == [.biometry])
    }

    @Test(.requirement("BIO-02"))
    func `is forgotten when the device is locked`() throws {
        let gated = try GatedApp()
        #expect(gated.add(.biometryAny) == errSecSuccess)
        let context = LAContext()
        context.touchIDAuthenticationAllowableReuseDuration = 300
        #expect(gated.read(context: context) == errSecSuccess)
        gated.device.lock()
        try gated.device.unlockWithBiometry()
        gated.device.lock()
        try gated.device.unlock(passcode: "0000")
        _ = gated.takePrompts()
        #expect(gated.read(context: context) == errSecSuccess)
        #expect(gated.takePrompts() == [.biometry])
    }

    @Test func `proves no passcode, and no further layer`() throws {
        let gated = try GatedApp()
        gated.device.user.applicationPassword = "pw"
        #expect(gated.add([.biometryAny, .and, .devicePasscode]) == errSecSuccess)
        let context = LAContext()
        context.touchIDAuthenticationAllowableReuseDuration = 60
        #expect(gated.read(context: context) == errSecSuccess)
        #expect(gated.takePrompts() == [.biometry, .passcode])
        #expect(gated.read(context: context) == errSecSuccess)
        #expect(gated.takePrompts() == [.passcode])
    }

    @Test func `is not reused once another face is enrolled for the current set`() throws {
        let gated = try GatedApp()
        #expect(gated.add(.biometryCurrentSet) == errSecSuccess)
        let context = LAContext()
        context.touchIDAuthenticationAllowableReuseDuration = 60
        #expect(gated.read(context: context) == errSecSuccess)
        try gated.device.enroll("second")
        #expect(gated.read(context: context) == errSecAuthFailed)
    }

    @Test(.requirement("BIO-01")) func `serves all items of one call`() throws {
        let gated = try GatedApp()
        for account in ["alice", "bob", "carol"] {
            #expect(gated.add(.biometryAny, account: account) == errSecSuccess)
        }
        #expect(gated.addPlain() == errSecSuccess)
        let (status, result) = gated.find([
            kSecClass as String: kSecClassGenericPassword,
            kSecMatchLimit as String: kSecMatchLimitAll, kSecReturnAttributes as String: true,
        ])
        #expect(status == errSecSuccess)
        #expect((result as? [Any])?.count == 4)
        #expect(gated.takePrompts() == [.biometry])
    }
}

@Suite struct `An evaluated context` {
    @Test(.requirement("BIO-04"), arguments: [LAPolicy.deviceOwnerAuthentication.rawValue, 1])
    func `saves the second prompt`(policy: LAPolicy.RawValue) async throws {
        let gated = try GatedApp()
        #expect(gated.add(.userPresence) == errSecSuccess)
        let context = LAContext()
        let policy = try #require(LAPolicy(rawValue: policy))
        #expect(await gated.evaluate(policy, context) == nil)
        #expect(gated.read(context: context) == errSecSuccess)
        gated.device.advance(by: .seconds(3600))
        #expect(gated.read(context: context) == errSecSuccess)
        #expect(gated.takePrompts() == [.biometry])
        #expect(gated.read() == errSecSuccess)
        #expect(gated.read(context: LAContext()) == errSecSuccess)
        #expect(gated.takePrompts() == [.biometry, .biometry])
    }

    @Test(.requirement("BIO-04")) func `opens items where nobody could be asked`() async throws {
        let gated = try GatedApp()
        #expect(gated.add(.userPresence) == errSecSuccess)
        let context = LAContext()
        #expect(await gated.evaluate(.deviceOwnerAuthentication, context) == nil)
        context.interactionNotAllowed = true
        #expect(gated.read(.background, context: context) == errSecSuccess)
        #expect(
            gated.update([.label: "new"], .background, context: context) == errSecSuccess
        )
    }

    @Test(.requirement("BIO-16"))
    func `has proven an access control ahead of the read`() async throws {
        let gated = try GatedApp()
        let flags: SecAccessControlCreateFlags = [.biometryAny, .and, .devicePasscode]
        #expect(gated.add(flags) == errSecSuccess)
        let control = try #require(gated.control(flags))
        let context = LAContext()
        let isProven = try await gated.app.run {
            try await context.evaluateAccessControl(
                control,
                operation: .useItem,
                localizedReason: "to open the vault"
            )
        }
        #expect(isProven)
        #expect(gated.takePrompts() == [.biometry, .passcode])
        #expect(gated.read(context: context) == errSecSuccess)
        #expect(gated.takePrompts() == [])
    }

    @Test(.requirement("BIO-16"))
    func `has proven nothing when the access control was not met`() async throws {
        let gated = try GatedApp()
        #expect(gated.add(.biometryAny) == errSecSuccess)
        let control = try #require(gated.control(.biometryAny))
        let context = LAContext()
        gated.device.script(.cancel)
        let error = await #expect(throws: LAError.self) {
            try await gated.app.run {
                try await context.evaluateAccessControl(
                    control,
                    operation: .useItem,
                    localizedReason: "to open the vault"
                )
            }
        }
        #expect(error?.code == .userCancel)
        #expect(gated.read(.background, context: context) == errSecInteractionNotAllowed)
    }

    @Test func `proves what it was asked for and nothing else`() async throws {
        let gated = try GatedApp()
        #expect(gated.add(.devicePasscode) == errSecSuccess)
        let context = LAContext()
        #expect(
            await gated.evaluate(.deviceOwnerAuthenticationWithBiometrics, context) == nil
        )
        context.interactionNotAllowed = true
        #expect(gated.read(context: context) == errSecInteractionNotAllowed)
    }

    @Test func `has proven nothing once the device was locked`() async throws {
        let gated = try GatedApp()
        #expect(gated.add(.userPresence) == errSecSuccess)
        let context = LAContext()
        #expect(await gated.evaluate(.deviceOwnerAuthentication, context) == nil)
        gated.device.lock()
        #expect(gated.read(context: context) == errSecInteractionNotAllowed)
        try gated.device.unlock(passcode: "0000")
        #expect(gated.read(.background, context: context) == errSecInteractionNotAllowed)
    }

    @Test func `serves no other device`() async throws {
        let gated = try GatedApp()
        let other = try GatedApp()
        #expect(gated.add(.userPresence) == errSecSuccess)
        #expect(other.add(.userPresence) == errSecSuccess)
        let context = LAContext()
        #expect(await gated.evaluate(.deviceOwnerAuthentication, context) == nil)
        #expect(other.read(.background, context: context) == errSecInteractionNotAllowed)
        #expect(gated.read(.background, context: context) == errSecSuccess)
    }

    /// A context that claims a success which never was.
    ///
    /// `@unchecked Sendable`: it adds no stored property.
    private final class Liar: LAContext, @unchecked Sendable {
        override func evaluatePolicy(
            _ policy: LAPolicy,
            localizedReason: String,
            reply: @escaping @Sendable (Bool, (any Error)?) -> Void
        ) {
            reply(true, nil)
        }
    }

    @Test(.requirement("BIO-18"))
    func `whose success is forged releases nothing`() async throws {
        let gated = try GatedApp()
        #expect(gated.add(.userPresence) == errSecSuccess)
        let liar = Liar()
        #expect(await gated.evaluate(.deviceOwnerAuthentication, liar) == nil)
        #expect(gated.read(.background, context: liar) == errSecInteractionNotAllowed)
        gated.device.user = SimulatedUser(biometric: "stranger", passcode: "1111")
        #expect(gated.read(context: liar) == errSecAuthFailed)
    }

    @Test(.requirement("BIO-18"))
    func `releases nothing to a call that is made without it`() async throws {
        let gated = try GatedApp()
        #expect(gated.add(.userPresence) == errSecSuccess)
        let context = LAContext()
        #expect(await gated.evaluate(.deviceOwnerAuthentication, context) == nil)
        #expect(gated.read(.background) == errSecInteractionNotAllowed)
        gated.device.user.cancels = true
        #expect(gated.read() == errSecUserCanceled)
    }
}
