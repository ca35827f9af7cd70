import LocalAuthentication
import TestSupport
import Testing

@Suite struct `An authentication context` {
    @Test(.requirement("API-17")) func `keeps its settings`() {
        let context = LAContext()
        context.touchIDAuthenticationAllowableReuseDuration = 10
        context.localizedReason = "to open the vault"
        context.localizedFallbackTitle = ""
        context.localizedCancelTitle = "Later"
        context.interactionNotAllowed = true
        #expect(context.touchIDAuthenticationAllowableReuseDuration == 10)
        #expect(context.localizedReason == "to open the vault")
        #expect(context.localizedFallbackTitle == "")
        #expect(context.localizedCancelTitle == "Later")
        #expect(context.interactionNotAllowed)
        #expect(LATouchIDAuthenticationMaximumAllowableReuseDuration == 300)
    }

    @Test func `holds credentials until they are taken away or it ends`() {
        let context = LAContext()
        #expect(!context.isCredentialSet(.applicationPassword))
        #expect(context.setCredential(Data("pw".utf8), type: .applicationPassword))
        #expect(context.isCredentialSet(.applicationPassword))
        #expect(!context.isCredentialSet(.smartCardPIN))
        #expect(context.setCredential(nil, type: .applicationPassword))
        #expect(!context.isCredentialSet(.applicationPassword))
        context.setCredential(Data("pw".utf8), type: .applicationPassword)
        context.invalidate()
        #expect(!context.isCredentialSet(.applicationPassword))
        #expect(!context.setCredential(Data("pw".utf8), type: .applicationPassword))
    }

    @Test func `answers nothing after it was invalidated`() {
        let context = LAContext()
        context.invalidate()
        var error: NSError?
        #expect(!context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error))
        #expect(error?.code == LAError.invalidContext.rawValue)
    }

    @Test func `says so when it must not ask`() {
        let context = LAContext()
        context.interactionNotAllowed = true
        var error: NSError?
        #expect(!context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error))
        #expect(error?.code == -1004)
    }

    @Test func `lets a subclass answer for tests`() async throws {
        let context = WillingContext()
        let reached = try await context.evaluatePolicy(
            .deviceOwnerAuthentication,
            localizedReason: "to test"
        )
        #expect(reached)
    }

    @Test func `reports errors that can be caught by code`() {
        do {
            throw LAError(.userCancel)
        } catch LAError.userCancel {
            #expect(LAError.errorDomain == "com.apple.LocalAuthentication")
        } catch {
            Issue.record("not caught by its code: \(error)")
        }
    }

    /// `@unchecked Sendable`: it adds no stored property.
    private final class WillingContext: LAContext, @unchecked Sendable {
        override func evaluatePolicy(
            _ policy: LAPolicy,
            localizedReason: String,
            reply: @escaping @Sendable (Bool, (any Error)?) -> Void
        ) {
            reply(true, nil)
        }
    }
}
