import KeychainSimulator
import LocalAuthentication
import ModelTestSupport
import TestSupport
import Testing

@Suite struct `An update of a gated item` {
    private func value(_ gated: GatedApp) -> String? {
        var query = GatedApp.query()
        query[kSecReturnData as String] = true
        let data = gated.find(query).result as? Data
        return data.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [BehaviorProfile.documented, .appleSource])
    func `asks as a read does, and keeps the gate`(behavior: BehaviorProfile) throws {
        let gated = try GatedApp(behavior: behavior)
        #expect(gated.add(.userPresence) == errSecSuccess)
        let change = [kSecValueData as String: Data("new".utf8)]
        gated.device.user.cancels = true
        #expect(gated.update(change) == errSecUserCanceled)
        gated.device.user = SimulatedUser(biometric: "stranger", passcode: "1111")
        #expect(gated.update(change) == errSecAuthFailed)
        gated.device.user = .owner
        #expect(value(gated) == "secret of alice")
        _ = gated.takePrompts()
        #expect(gated.update(change) == errSecSuccess)
        #expect(gated.takePrompts() == [.biometry])
        #expect(value(gated) == "new")
        #expect(gated.takePrompts() == [.biometry])
        #expect(gated.find(GatedApp.query(), .background).status == errSecInteractionNotAllowed)
    }

    @Test func `of its label keeps the value`() throws {
        let gated = try GatedApp()
        gated.device.user.applicationPassword = "pw"
        #expect(gated.add([.biometryAny, .applicationPassword]) == errSecSuccess)
        #expect(gated.update([kSecAttrLabel as String: "renamed"]) == errSecSuccess)
        #expect(value(gated) == "secret of alice")
        gated.device.user.applicationPassword = "other"
        #expect(gated.update([kSecAttrLabel as String: "again"]) == errSecAuthFailed)
        gated.device.user.applicationPassword = "pw"
        var query = GatedApp.query()
        query[kSecReturnAttributes as String] = true
        let found = gated.find(query).result as? [String: Any]
        #expect(found?[kSecAttrLabel as String] as? String == "renamed")
    }

    @Test func `of several items asks each factor once`() throws {
        let gated = try GatedApp()
        for account in ["alice", "bob"] {
            #expect(gated.add(.userPresence, account: account) == errSecSuccess)
        }
        #expect(gated.add(.devicePasscode, account: "carol") == errSecSuccess)
        var query = GatedApp.query()
        query[kSecAttrAccount as String] = nil
        let change: [String: Any] = [kSecAttrLabel as String: "renamed"]
        let status = gated.app.run { SecItemUpdate(query as CFDictionary, change as CFDictionary) }
        #expect(status == errSecSuccess)
        #expect(gated.takePrompts() == [.biometry, .passcode])
    }

    @Test(.requirement("SAC-32"))
    func `cannot give it another access control`() throws {
        let gated = try GatedApp()
        #expect(gated.add(.userPresence) == errSecSuccess)
        let control = try #require(gated.control(.devicePasscode))
        #expect(gated.update([kSecAttrAccessControl as String: control]) == errSecParam)
        #expect(gated.takePrompts() == [])
        #expect(gated.read() == errSecSuccess)
        #expect(gated.takePrompts() == [.biometry])
        #expect(gated.addPlain() == errSecSuccess)
        #expect(
            gated.update([kSecAttrAccessControl as String: control], account: "plain")
                == errSecParam
        )
        #expect(gated.device.findings.contains { $0.rule == "access-control-update" })
    }

    /// ★ Another access control under Apple's source: from, to, the prompts of the update and of
    /// the next read.
    private static let changes:
        [(
            from: SecAccessControlCreateFlags.RawValue, to: SecAccessControlCreateFlags.RawValue,
            [PromptRecord.Kind], [PromptRecord.Kind]
        )] = [
            (userPresence, passcode, [.biometry], [.passcode]),
            (passcode, current, [.passcode], [.biometry]),
            (0, passcode, [], [.passcode]),
            (passcode, 0, [.passcode], []),
            (
                passcode, password, [.passcode, .newApplicationPassword], [.applicationPassword]
            ),
        ]
    private static let userPresence = SecAccessControlCreateFlags.userPresence.rawValue
    private static let passcode = SecAccessControlCreateFlags.devicePasscode.rawValue
    private static let current = SecAccessControlCreateFlags.biometryCurrentSet.rawValue
    private static let password = SecAccessControlCreateFlags.applicationPassword.rawValue

    @Test(.requirement("SAC-32"), arguments: changes)
    func `can in Apple's source, for who can open it`(
        from: SecAccessControlCreateFlags.RawValue,
        to: SecAccessControlCreateFlags.RawValue,
        update: [PromptRecord.Kind],
        read: [PromptRecord.Kind]
    ) throws {
        let gated = try GatedApp(behavior: .appleSource)
        gated.device.user.applicationPassword = "pw"
        #expect(gated.add(SecAccessControlCreateFlags(rawValue: from)) == errSecSuccess)
        let flags = SecAccessControlCreateFlags(rawValue: to)
        let control = try #require(gated.control(flags, kSecAttrAccessibleAfterFirstUnlock))
        let change = [kSecAttrAccessControl as String: control]
        if from != 0 {
            gated.device.user.cancels = true
            #expect(gated.update(change) == errSecUserCanceled)
            gated.device.user.cancels = false
            _ = gated.takePrompts()
        }
        #expect(gated.update(change) == errSecSuccess)
        #expect(gated.takePrompts() == update)
        #expect(value(gated) == "secret of alice")
        #expect(gated.takePrompts() == read)
        var query = GatedApp.query()
        query[kSecReturnAttributes as String] = true
        let found = gated.find(query).result as? [String: Any]
        #expect(found?[kSecAttrAccessControl as String] as? SecAccessControl == control)
        #expect(found?[kSecAttrAccessible as String] as? String == .afterFirstUnlock)
    }

    @Test(.requirement("SAC-32"))
    func `is refused in Apple's source where the new one cannot be bound`() throws {
        let gated = try GatedApp(behavior: .appleSource)
        #expect(gated.add(.devicePasscode) == errSecSuccess)
        try gated.device.removeEnrollment("owner")
        let control = try #require(gated.control(.biometryAny))
        #expect(gated.update([kSecAttrAccessControl as String: control]) == errSecAuthFailed)
        #expect(gated.read() == errSecSuccess)
    }

    @Test(
        .requirement("SAC-24", "SAC-32"),
        arguments: [
            SecAccessControlCreateFlags.userPresence, .devicePasscode, .biometryAny,
            .biometryCurrentSet,
        ]
        .map(\.rawValue)
    )
    func `binds nothing to a person in Apple's source where no passcode is set`(
        flags: SecAccessControlCreateFlags.RawValue
    ) throws {
        let gated = try GatedApp(passcode: nil, behavior: .appleSource)
        #expect(gated.addPlain("alice") == errSecSuccess)
        let flags = SecAccessControlCreateFlags(rawValue: flags)
        let control = try #require(gated.control(flags))
        #expect(gated.update([kSecAttrAccessControl as String: control]) == errSecAuthFailed)
        let protection = kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
        let closed = try #require(gated.control(flags, protection))
        #expect(gated.update([kSecAttrAccessControl as String: closed]) == errSecNotAvailable)
        #expect(gated.read() == errSecSuccess)
        #expect(gated.takePrompts() == [])
    }
}
