import KeychainSimulator
import LocalAuthentication
import TestSupport
import Testing

@Suite struct `A constraint` {
    @Test(.requirement("SAC-06"))
    func `is proven by a face first, and by passcode without one`() throws {
        let gated = try GatedApp()
        #expect(gated.add(.userPresence) == errSecSuccess)
        #expect(gated.read() == errSecSuccess)
        #expect(gated.device.prompts.map(\.kind) == [.biometry])
        try gated.device.removeEnrollment("owner")
        gated.device.removePrompts()
        #expect(gated.read() == errSecSuccess)
        #expect(gated.device.prompts.map(\.kind) == [.passcode])
    }

    @Test func `opens with passcode after a failed face`() throws {
        let gated = try GatedApp()
        #expect(gated.add(.userPresence) == errSecSuccess)
        gated.device.user.biometric = "stranger"
        #expect(gated.read() == errSecSuccess)
        #expect(gated.device.prompts.map(\.kind) == [.biometry, .passcode])
        gated.device.user.cancels = true
        #expect(gated.read() == errSecUserCanceled)
    }

    @Test(.requirement("SAC-09")) func `of the current set ends with any change`() throws {
        let gated = try GatedApp()
        #expect(gated.add(.biometryCurrentSet) == errSecSuccess)
        #expect(gated.read() == errSecSuccess)
        try gated.device.enroll("second")
        #expect(gated.read() == errSecAuthFailed)
        try gated.device.removeEnrollment("second")
        #expect(gated.read() == errSecAuthFailed)
    }

    @Test func `of a password needs the right one`() throws {
        let gated = try GatedApp()
        gated.device.user.applicationPassword = "pw"
        #expect(gated.add([.biometryAny, .applicationPassword]) == errSecSuccess)
        #expect(gated.device.prompts.map(\.kind) == [.newApplicationPassword])
        #expect(gated.read() == errSecSuccess)
        gated.device.user.applicationPassword = "other"
        #expect(gated.read() == errSecAuthFailed)
        gated.device.user.applicationPassword = "pw"
        #expect(gated.read() == errSecSuccess)
    }

    @Test func `is evaluated once for a context`() async throws {
        let gated = try GatedApp()
        #expect(gated.add(.userPresence) == errSecSuccess)
        let context = LAContext()
        _ = try await gated.app.run {
            try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "x")
        }
        #expect(gated.read(context: context) == errSecSuccess)
        #expect(gated.device.prompts.count == 1)
        #expect(gated.read() == errSecSuccess)
        #expect(gated.device.prompts.count == 2)
    }
}
