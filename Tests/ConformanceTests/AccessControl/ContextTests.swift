import KeychainSimulator
import LocalAuthentication
import ModelTestSupport
import Synchronization
import TestSupport
import Testing

@Suite struct `A context` {
    @Test(.requirement("BIO-12"), arguments: [SimulatedDevice.Biometry.none, .touchID, .faceID])
    func `tells what the device recognizes people by`(biometry: SimulatedDevice.Biometry) throws {
        let gated = try GatedApp(biometry: biometry)
        let expected: LABiometryType =
            switch biometry {
            case .none: .none
            case .touchID: .touchID
            case .faceID: .faceID
            }
        #expect(gated.app.run { LAContext().biometryType } == expected)
        if biometry != .none { try gated.device.removeEnrollment("owner") }
        #expect(gated.app.run { LAContext().biometryType } == expected)
        #expect(gated.app.run { LAContext().domainState.biometry.biometryType } == expected)
    }

    @Test(.requirement("BIO-12"))
    func `shows its reason, and the call's own before it`() async throws {
        let gated = try GatedApp()
        #expect(gated.add(.userPresence) == errSecSuccess)
        let context = LAContext()
        #expect(gated.read(context: context) == errSecSuccess)
        context.localizedReason = "to read your mail"
        #expect(gated.read(context: context) == errSecSuccess)
        let own = [String.useOperationPrompt: "to pay"]
        #expect(gated.read(context: context, own) == errSecSuccess)
        #expect(await gated.evaluate(.deviceOwnerAuthentication, context) == nil)
        #expect(
            gated.device.prompts.map(\.reason) == [
                nil, "to read your mail", "to pay", "to open the vault",
            ]
        )
        #expect(Set(gated.device.prompts.map(\.app)) == ["com.example.gated"])
    }

    /// ★ When a prompt has a button for another way, by the title and what else would do.
    private static let fallbacks: [(policy: LAPolicy.RawValue, title: String?, isOffered: Bool)] = [
        (policy: 1, title: nil, isOffered: true),
        (policy: 1, title: "", isOffered: false),
        (policy: 1, title: "Use another key", isOffered: true),
        (policy: 2, title: nil, isOffered: true),
        (policy: 2, title: "", isOffered: false),
        (policy: 2, title: "Enter PIN", isOffered: true),
    ]

    @Test(.requirement("BIO-12"), arguments: fallbacks)
    func `names the button for another way, or hides it`(
        policy: LAPolicy.RawValue,
        title: String?,
        isOffered: Bool
    ) async throws {
        let gated = try GatedApp()
        let context = LAContext()
        context.localizedFallbackTitle = title
        let policy = try #require(LAPolicy(rawValue: policy))
        #expect(await gated.evaluate(policy, context) == nil)
        let prompt = try #require(gated.device.prompts.first)
        #expect(prompt.offersFallback == isOffered)
        #expect(prompt.fallbackTitle == title)
    }

    @Test(.requirement("BIO-12"))
    func `replies on another thread to the form with a reply`() throws {
        let gated = try GatedApp()
        let context = LAContext()
        let caller = pthread_self()
        let outcome = Mutex((isProven: false, isElsewhere: false))
        let replied = DispatchSemaphore(value: 0)
        gated.app.run {
            context.evaluatePolicy(
                .deviceOwnerAuthentication,
                localizedReason: "to open the vault"
            ) { success, error in
                outcome.withLock { outcome in
                    outcome.isProven = success && error == nil
                    outcome.isElsewhere = pthread_equal(pthread_self(), caller) == 0
                }
                replied.signal()
            }
        }
        replied.wait()
        #expect(outcome.withLock { $0.isProven })
        #expect(outcome.withLock { $0.isElsewhere })
        #expect(gated.read(.background, context: context) == errSecItemNotFound)
    }

    @Test(.requirement("BIO-12"))
    func `asks nobody to tell whether a policy could be evaluated`() throws {
        let gated = try GatedApp()
        #expect(gated.canEvaluate(.deviceOwnerAuthenticationWithBiometrics) == nil)
        #expect(gated.canEvaluate(.deviceOwnerAuthentication) == nil)
        #expect(
            gated.canEvaluate(.deviceOwnerAuthenticationWithCompanion) == .companionNotAvailable
        )
        #expect(gated.canEvaluate(.deviceOwnerAuthenticationWithBiometricsOrCompanion) == nil)
        #expect(gated.takePrompts() == [])
    }

    @Test(.requirement("BIO-12"))
    func `that must not ask fails at once, and only where it would ask`() async throws {
        let gated = try GatedApp()
        let context = LAContext()
        context.interactionNotAllowed = true
        #expect(await gated.evaluate(.deviceOwnerAuthentication, context) == .notInteractive)
        #expect(
            await gated.evaluate(.deviceOwnerAuthentication, LAContext(), .background)
                == .notInteractive
        )
        #expect(gated.takePrompts() == [])
        context.interactionNotAllowed = false
        #expect(await gated.evaluate(.deviceOwnerAuthentication, context) == nil)
        context.interactionNotAllowed = true
        #expect(await gated.evaluate(.deviceOwnerAuthentication, context) == nil)
        #expect(gated.takePrompts() == [.biometry])
    }

    @Test(.requirement("BIO-12"))
    func `proves nothing once it was invalidated`() async throws {
        let gated = try GatedApp()
        #expect(gated.add(.userPresence) == errSecSuccess)
        let context = LAContext()
        #expect(await gated.evaluate(.deviceOwnerAuthentication, context) == nil)
        context.invalidate()
        #expect(await gated.evaluate(.deviceOwnerAuthentication, context) == .invalidContext)
        #expect(gated.canEvaluate(.deviceOwnerAuthentication, context) == .invalidContext)
        #expect(gated.read(context: context) == errSecAuthFailed)
        #expect(gated.takePrompts() == [.biometry])
        #expect(gated.read() == errSecSuccess)
    }

    @Test(.requirement("BIO-26"))
    func `needs no word in the program's property list`() async throws {
        let gated = try GatedApp(biometry: .faceID)
        #expect(Bundle.main.object(forInfoDictionaryKey: "NSFaceIDUsageDescription") == nil)
        #expect(await gated.evaluate(.deviceOwnerAuthenticationWithBiometrics) == nil)
        #expect(gated.add(.biometryAny) == errSecSuccess)
        #expect(gated.read() == errSecSuccess)
    }

    @Test func `serves many threads at once`() async throws {
        let gated = try GatedApp()
        #expect(gated.add(.userPresence) == errSecSuccess)
        let context = LAContext()
        context.touchIDAuthenticationAllowableReuseDuration = 60
        let statuses = await withTaskGroup(of: OSStatus.self) { group in
            for number in 0..<24 {
                group.addTask {
                    context.localizedReason = "reason \(number)"
                    _ = context.setCredential(Data([1]), type: .applicationPassword)
                    _ = gated.canEvaluate(.deviceOwnerAuthentication, context)
                    return gated.read(context: context)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: errSecSuccess, count: 24))
        #expect(context.isCredentialSet(.applicationPassword))
        #expect((1...24).contains(gated.device.prompts.count))
        _ = gated.takePrompts()
        #expect(gated.read(context: context) == errSecSuccess)
        #expect(gated.takePrompts() == [])
    }
}

@Suite struct `A context that goes` {
    @Test func `takes its proofs along, while calls with it are under way`() async throws {
        let gated = try GatedApp()
        #expect(gated.add(.userPresence) == errSecSuccess)
        let count = await withTaskGroup(of: OSStatus.self) { group in
            for number in 0..<60 {
                group.addTask {
                    let context = LAContext()
                    context.touchIDAuthenticationAllowableReuseDuration = 60
                    if number % 3 == 0 {
                        Task { context.invalidate() }
                    }
                    return gated.read(context: context)
                }
            }
            return await group.reduce(into: 0) { $0 += $1 == errSecSuccess ? 1 : 0 }
        }
        #expect(count >= 40)
        #expect(gated.read() == errSecSuccess)
    }
}

@Suite struct `The domain state` {
    private func state(_ gated: GatedApp) -> Data? {
        let context = LAContext()
        #expect(gated.app.run { context.evaluatedPolicyDomainState } == nil)
        #expect(gated.canEvaluate(.deviceOwnerAuthentication, context) == nil)
        return context.evaluatedPolicyDomainState
    }

    @Test(.requirement("BIO-14", "BIO-12"))
    func `changes with the enrolment and with nothing else`() async throws {
        let gated = try GatedApp()
        let first = try #require(state(gated))
        #expect(first.count == 32)
        #expect(state(gated) == first)
        gated.device.reboot()
        try gated.device.unlock(passcode: "0000")
        try gated.device.setPasscode("1111", current: "0000")
        gated.device.user.biometric = "stranger"
        _ = gated.add(.biometryAny)
        #expect(gated.read() == errSecAuthFailed)
        gated.device.advance(by: .seconds(86_400))
        #expect(state(gated) == first)
        try gated.device.enroll("second")
        let second = try #require(state(gated))
        #expect(second != first)
        try gated.device.removeEnrollment("second")
        let third = try #require(state(gated))
        #expect(third != first && third != second)
        try gated.device.removeEnrollment("owner")
        #expect(state(gated) == nil)
    }

    @Test(.requirement("BIO-14")) func `differs from device to device`() throws {
        #expect(try state(GatedApp()) != state(GatedApp()))
    }

    @Test(.requirement("BIO-14"))
    func `is told after an evaluation too`() async throws {
        let gated = try GatedApp()
        let context = LAContext()
        #expect(await gated.evaluate(.deviceOwnerAuthentication, context) == nil)
        #expect(context.evaluatedPolicyDomainState == state(gated))
        let failed = LAContext()
        gated.device.script(.cancel)
        #expect(await gated.evaluate(.deviceOwnerAuthentication, failed) == .userCancel)
        #expect(failed.evaluatedPolicyDomainState == nil)
    }

    @Test func `has a part for biometry and one for paired devices`() throws {
        let gated = try GatedApp()
        let alone = gated.app.run { LAContext().domainState }
        #expect(alone.biometry.stateHash == state(gated))
        #expect(alone.companion.stateHash == nil)
        #expect(alone.companion.availableCompanionTypes.isEmpty)
        #expect(alone.stateHash?.count == 32)
        gated.device.user.hasCompanion = true
        let both = gated.app.run { LAContext().domainState }
        #expect(both.biometry.stateHash == alone.biometry.stateHash)
        #expect(both.companion.availableCompanionTypes == [.watch])
        #expect(both.companion.stateHash(for: .watch)?.count == 32)
        #expect(both.companion.stateHash(for: .mac) == nil)
        #expect(both.stateHash != alone.stateHash)
        try gated.device.removeEnrollment("owner")
        gated.device.user.hasCompanion = false
        #expect(gated.app.run { LAContext().domainState.stateHash } == nil)
    }
}
