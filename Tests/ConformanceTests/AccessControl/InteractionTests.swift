import KeychainSimulator
import LocalAuthentication
import ModelTestSupport
import TestSupport
import Testing

/// ★ The ways in which a call cannot show a prompt.
enum Silence: String, Sendable, CaseIterable {
    case background, notificationService, widget, interfaceFails, noInterface, context

    var execution: SimulatedApp.Execution {
        switch self {
        case .background: .background
        case .notificationService: .notificationService
        case .widget: .widget
        case .interfaceFails, .noInterface, .context: .foreground
        }
    }

    /// What the query says; a context is made for each.
    var terms: [String: Any] {
        switch self {
        case .background, .notificationService, .widget: return [:]
        case .interfaceFails:
            return [kSecUseAuthenticationUI as String: String.interfaceFail]
        case .noInterface: return [.useNoAuthenticationUI: true]
        case .context:
            let context = LAContext()
            context.interactionNotAllowed = true
            return [kSecUseAuthenticationContext as String: context]
        }
    }
}

/// ★ What a query can want of an item.
enum Wanted: String, Sendable, CaseIterable {
    case data, attributes, both, existence, persistentReference, everything

    var keys: [String: Any] {
        switch self {
        case .data: [kSecReturnData as String: true]
        case .attributes: [kSecReturnAttributes as String: true]
        case .both: [kSecReturnData as String: true, kSecReturnAttributes as String: true]
        case .existence: [:]
        case .persistentReference: [kSecReturnPersistentRef as String: true]
        case .everything:
            [
                kSecReturnData as String: true, kSecReturnAttributes as String: true,
                kSecReturnPersistentRef as String: true,
            ]
        }
    }
}

@Suite struct `A gated item where nobody can be asked` {
    private static let flags: [SecAccessControlCreateFlags.RawValue] = [
        SecAccessControlCreateFlags.userPresence, .biometryAny, .biometryCurrentSet,
        .devicePasscode,
    ].map(\.rawValue)

    @Test(
        .requirement("SAC-25", "SAC-26", "BIO-08", "SIM-11"),
        arguments: Silence.allCases,
        flags
    )
    func `is refused at once, without a prompt`(
        silence: Silence,
        flags: SecAccessControlCreateFlags.RawValue
    ) throws {
        let gated = try GatedApp()
        let flags = SecAccessControlCreateFlags(rawValue: flags)
        #expect(gated.add(flags, account: "alice", silence.execution) == errSecSuccess)
        let query = GatedApp.query().merging(silence.terms) { $1 }
            .merging(Wanted.data.keys) { $1 }
        #expect(gated.find(query, silence.execution).status == errSecInteractionNotAllowed)
        #expect(
            gated.update([.label: "new"], silence.execution, context: nil, silence.terms)
                == errSecInteractionNotAllowed
        )
        #expect(gated.takePrompts() == [])
        #expect(gated.read() == errSecSuccess)
    }

    @Test(
        .requirement("BIO-17"),
        arguments: Wanted.allCases
    )
    func `is not even seen, whatever is wanted of it`(wanted: Wanted) throws {
        let gated = try GatedApp()
        #expect(gated.add(.userPresence) == errSecSuccess)
        var query = GatedApp.query().merging(wanted.keys) { $1 }
        #expect(gated.find(query, .background).status == errSecInteractionNotAllowed)
        #expect(gated.takePrompts() == [])
        #expect(gated.find(query).status == errSecSuccess)
        #expect(gated.takePrompts() == [.biometry])
        query[kSecUseAuthenticationUI as String] = String.interfaceFail
        #expect(gated.find(query).status == errSecInteractionNotAllowed)
        query[kSecUseAuthenticationUI as String] = String.interfaceAllow
        gated.device.user.cancels = true
        #expect(gated.find(query).status == errSecUserCanceled)
    }

    @Test(.requirement("BIO-09"), arguments: Wanted.allCases)
    func `is told from a missing one by kSecUseAuthenticationUIFail`(wanted: Wanted) throws {
        let gated = try GatedApp()
        #expect(gated.add(.biometryAny) == errSecSuccess)
        let terms = [kSecUseAuthenticationUI as String: String.interfaceFail]
        let query = GatedApp.query().merging(wanted.keys) { $1 }.merging(terms) { $1 }
        #expect(gated.find(query).status == errSecInteractionNotAllowed)
        let missing = GatedApp.query("nobody").merging(wanted.keys) { $1 }.merging(terms) { $1 }
        #expect(gated.find(missing).status == errSecItemNotFound)
        #expect(gated.takePrompts() == [])
    }

    @Test(.requirement("BIO-10"), arguments: Wanted.allCases, [true, false])
    func `is left out by kSecUseAuthenticationUISkip`(wanted: Wanted, isPlain: Bool) throws {
        let gated = try GatedApp()
        #expect(gated.add(.userPresence) == errSecSuccess)
        if isPlain { #expect(gated.addPlain() == errSecSuccess) }
        var query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecUseAuthenticationUI as String: kSecUseAuthenticationUISkip,
            kSecMatchLimit as String: kSecMatchLimitAll,
        ]
        query.merge(wanted.keys) { $1 }
        let all = gated.find(query)
        #expect(all.status == (isPlain ? errSecSuccess : errSecItemNotFound))
        if isPlain, wanted != .existence { #expect((all.result as? [Any])?.count == 1) }
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        #expect(gated.find(query).status == (isPlain ? errSecSuccess : errSecItemNotFound))
        #expect(gated.takePrompts() == [])
    }

    @Test(.requirement("BIO-10"))
    func `is not left out when its context has proven it`() async throws {
        let gated = try GatedApp()
        #expect(gated.add(.userPresence) == errSecSuccess)
        let context = LAContext()
        #expect(await gated.evaluate(.deviceOwnerAuthentication, context) == nil)
        let skip = [kSecUseAuthenticationUI as String: kSecUseAuthenticationUISkip]
        #expect(gated.read(context: context, skip) == errSecSuccess)
        #expect(gated.read(context: nil, skip) == errSecItemNotFound)
    }

    @Test func `keeps skipping out of the other functions`() throws {
        let gated = try GatedApp()
        #expect(gated.add(.userPresence) == errSecSuccess)
        let skip = [kSecUseAuthenticationUI as String: kSecUseAuthenticationUISkip]
        #expect(gated.update([.label: "new"], context: nil, skip) == errSecParam)
        #expect(gated.add(.userPresence, account: "bob", context: nil, skip) == errSecParam)
    }

    @Test(
        .requirement("SAC-31"),
        arguments: [String.afterFirstUnlock, .afterFirstUnlockThisDeviceOnly]
    )
    func `is useless for the background, although AfterFirstUnlock is accepted`(
        protection: String
    ) throws {
        let gated = try GatedApp()
        #expect(gated.control(.biometryAny, protection as CFString) != nil)
        #expect(gated.add(.biometryAny, protection as CFString) == errSecSuccess)
        #expect(gated.read(.background) == errSecInteractionNotAllowed)
        gated.device.lock()
        #expect(gated.read(.background) == errSecInteractionNotAllowed)
        #expect(gated.takePrompts() == [])
        try gated.device.unlock(passcode: "0000")
        #expect(gated.read() == errSecSuccess)
    }

    @Test(.requirement("SIM-11", "ACC-30"))
    func `and a plain one, in a prewarmed app, wait for the first unlock`() throws {
        let gated = try GatedApp()
        #expect(gated.add(.userPresence, kSecAttrAccessibleAfterFirstUnlock) == errSecSuccess)
        #expect(gated.addPlain("plain", kSecAttrAccessibleAfterFirstUnlock) == errSecSuccess)
        gated.device.reboot()
        let prewarmed = gated.app.prewarm {
            var query = GatedApp.query("plain")
            query[kSecReturnData as String] = true
            return (
                SecItemCopyMatching(GatedApp.query() as CFDictionary, nil),
                SecItemCopyMatching(query as CFDictionary, nil),
                gated.device.isProtectedDataAvailable
            )
        }
        let (gatedStatus, plainStatus, isAvailable) = try #require(prewarmed)
        #expect(gatedStatus == errSecInteractionNotAllowed)
        #expect(plainStatus == errSecInteractionNotAllowed)
        #expect(!isAvailable)
        try gated.device.unlock(passcode: "0000")
        #expect(gated.read(.background, account: "plain") == errSecSuccess)
        #expect(gated.takePrompts() == [])
    }
}

@Suite struct `Both layers` {
    @Test(.requirement("ACC-03")) func `have to open, and neither replaces the other`() throws {
        let gated = try GatedApp()
        #expect(gated.add(.biometryAny) == errSecSuccess)
        gated.device.lock()
        #expect(gated.read() == errSecInteractionNotAllowed)
        #expect(gated.takePrompts() == [])
        try gated.device.unlock(passcode: "0000")
        gated.device.user.biometric = "stranger"
        #expect(gated.read() == errSecAuthFailed)
        gated.device.user.biometric = "owner"
        #expect(gated.read() == errSecSuccess)
    }

    @Test(.requirement("ACC-03")) func `are sealed when the device is locked or restarted`() throws
    {
        let gated = try GatedApp()
        gated.device.lock()
        #expect(gated.add(.userPresence) == errSecInteractionNotAllowed)
        gated.device.reboot()
        #expect(gated.add(.userPresence) == errSecInteractionNotAllowed)
        try gated.device.unlock(passcode: "0000")
        #expect(gated.read() == errSecItemNotFound)
        #expect(gated.takePrompts() == [])
    }

    @Test(.requirement("ACC-34"))
    func `serve one credential as a background copy and a foreground copy`() throws {
        let gated = try GatedApp()
        let background = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        let foreground = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
        #expect(gated.addPlain("copy A", background) == errSecSuccess)
        #expect(gated.add(.biometryCurrentSet, foreground, account: "copy B") == errSecSuccess)
        gated.device.lock()
        #expect(gated.read(.background, account: "copy A") == errSecSuccess)
        #expect(gated.read(.background, account: "copy B") == errSecInteractionNotAllowed)
        #expect(gated.takePrompts() == [])
        try gated.device.unlockWithBiometry()
        #expect(gated.read(account: "copy A") == errSecSuccess)
        #expect(gated.takePrompts() == [])
        #expect(gated.read(account: "copy B") == errSecSuccess)
        #expect(gated.takePrompts() == [.biometry])
        #expect(gated.delete(account: "copy B") == errSecSuccess)
        #expect(gated.read(.background, account: "copy A") == errSecSuccess)
    }
}
