import KeychainSimulator
import LocalAuthentication
import ModelTestSupport
import TestSupport
import Testing

@Suite struct `An item with an access control` {
    private static let protections: [String] = [
        String.whenPasscodeSetThisDeviceOnly, .whenUnlockedThisDeviceOnly, .whenUnlocked,
        .afterFirstUnlockThisDeviceOnly, .afterFirstUnlock, .alwaysThisDeviceOnly, .always,
    ]

    @Test(.requirement("SAC-01", "SAC-04", "SAC-36"), arguments: protections)
    func `takes its accessibility from it, and gives it back equal`(protection: String) throws {
        let gated = try GatedApp()
        let flags: SecAccessControlCreateFlags = [.biometryAny, .or, .devicePasscode]
        #expect(gated.add(flags, protection as CFString) == errSecSuccess)
        var query = GatedApp.query()
        query[kSecReturnAttributes as String] = true
        let found = gated.find(query).result as? [String: Any]
        #expect(found?[kSecAttrAccessible as String] as? String == protection)
        let object = found?[kSecAttrAccessControl as String] as AnyObject
        let control = try #require(object as? SecAccessControl)
        #expect(control == gated.control(flags, protection as CFString))
        #expect(control != gated.control(.userPresence, protection as CFString))
        #expect(CFGetTypeID(control) == SecAccessControlGetTypeID())
    }

    @Test(.requirement("SAC-36")) func `gives back one for a plain item too`() throws {
        let gated = try GatedApp()
        #expect(gated.addPlain("alice") == errSecSuccess)
        var query = GatedApp.query()
        query[kSecReturnAttributes as String] = true
        let found = gated.find(query).result as? [String: Any]
        let object = found?[kSecAttrAccessControl as String] as AnyObject
        #expect(object as? SecAccessControl == gated.control([]))
    }

    @Test(
        .requirement("SAC-03"),
        arguments: [String.whenUnlocked, .afterFirstUnlock],
        [SecAccessControlCreateFlags.userPresence.rawValue, 0]
    )
    func `is refused when its accessibility is said twice`(
        accessible: String,
        flags: SecAccessControlCreateFlags.RawValue
    ) throws {
        let gated = try GatedApp()
        let flags = SecAccessControlCreateFlags(rawValue: flags)
        let twice = [kSecAttrAccessible as String: accessible]
        #expect(gated.add(flags, context: nil, twice) == errSecParam)
        #expect(gated.read() == errSecItemNotFound)
    }

    @Test(.requirement("SAC-03"))
    func `may say it twice in Apple's source if it adds nothing`() throws {
        let gated = try GatedApp(behavior: .appleSource)
        let same = [kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlocked]
        let other = [kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock]
        #expect(gated.add([], context: nil, other) == errSecParam)
        #expect(gated.add(.userPresence, context: nil, same) == errSecParam)
        #expect(gated.add([], context: nil, same) == errSecSuccess)
        #expect(gated.read() == errSecSuccess)
    }

    @Test(.requirement("SAC-34"), arguments: [BehaviorProfile.documented, .appleSource])
    func `cannot be synchronizable`(behavior: BehaviorProfile) throws {
        let gated = try GatedApp(behavior: behavior)
        let synchronizable = [kSecAttrSynchronizable as String: true]
        #expect(gated.add(.userPresence, context: nil, synchronizable) == errSecParam)
        #expect(gated.add([], context: nil, synchronizable) == errSecParam)
        #expect(gated.addPlain("alice") == errSecSuccess)
        #expect(gated.read() == errSecSuccess)
    }

    struct Impostor: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let object: @Sendable () -> Any

        init(_ name: String, _ object: @escaping @Sendable () -> Any) {
            testDescription = name
            self.object = object
        }
    }

    @Test(
        .requirement("SAC-35"),
        arguments: [
            Impostor("text") { String.whenUnlocked }, Impostor("data") { Data([1]) },
            Impostor("a number") { 1 }, Impostor("null") { NSNull() },
            Impostor("an array") { [1] }, Impostor("a context") { LAContext() },
        ]
    )
    func `takes no other object for one`(impostor: Impostor) throws {
        let gated = try GatedApp()
        let spoiled = [kSecAttrAccessControl as String: impostor.object()]
        #expect(gated.add(.userPresence, context: nil, spoiled) == errSecParam)
        #expect(gated.addPlain("alice") == errSecSuccess)
        let query = GatedApp.query().merging(spoiled) { $1 }
        #expect(gated.app.run { SecItemDelete(query as CFDictionary) } == errSecParam)
        #expect(gated.read() == errSecSuccess)
    }

    @Test(.requirement("SAC-33"), .contradiction("delete-then-add"))
    func `is deleted without a prompt, and added under another one`() throws {
        let gated = try GatedApp()
        #expect(gated.add(.biometryCurrentSet) == errSecSuccess)
        try gated.device.enroll("second")
        #expect(gated.read() == errSecAuthFailed)
        _ = gated.takePrompts()
        #expect(gated.delete(.background) == errSecSuccess)
        #expect(gated.add(.devicePasscode) == errSecSuccess)
        #expect(gated.takePrompts() == [])
        #expect(gated.read() == errSecSuccess)
        #expect(gated.takePrompts() == [.passcode])
    }

    @Test(.requirement("SAC-33")) func `is a duplicate of a plain one, without a prompt`() throws {
        let gated = try GatedApp()
        #expect(gated.add(.userPresence) == errSecSuccess)
        #expect(gated.addPlain("alice") == errSecDuplicateItem)
        #expect(gated.add(.biometryAny) == errSecDuplicateItem)
        #expect(gated.takePrompts() == [])
        #expect(gated.read() == errSecSuccess)
    }

    @Test(.requirement("BAK-04")) func `is in no backup`() throws {
        let gated = try GatedApp()
        #expect(gated.add(.userPresence) == errSecSuccess)
        #expect(gated.add(.applicationPassword, account: "bob") == errSecAuthFailed)
        gated.device.user.applicationPassword = "pw"
        #expect(gated.add(.applicationPassword, account: "bob") == errSecSuccess)
        #expect(gated.add([], account: "carol") == errSecSuccess)
        #expect(gated.addPlain() == errSecSuccess)
        let backup = try gated.device.backup(password: "tape")
        #expect(gated.takePrompts() == [.newApplicationPassword, .newApplicationPassword])
        let accounts = ["alice", "bob", "carol", "plain"]
        let deleted = accounts.map { gated.delete(account: $0) }
        #expect(deleted == [errSecSuccess, errSecSuccess, errSecSuccess, errSecSuccess])
        try gated.device.restore(backup, password: "tape")
        let read = accounts.map { gated.read(account: $0) }
        #expect(
            read == [errSecItemNotFound, errSecItemNotFound, errSecItemNotFound, errSecSuccess]
        )
    }
}

@Suite struct `An access control without a passcode` {
    /// What adding returns where no passcode is set.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let missing: BehaviorProfile.MissingPasscode
        let plain: OSStatus
        let constrained: OSStatus
    }

    @Test(
        .requirement("SAC-24"),
        arguments: [
            Row(
                testDescription: "as in Apple's source",
                missing: .byConstraints,
                plain: errSecAuthFailed,
                constrained: errSecNotAvailable
            ),
            Row(
                testDescription: "always -25293",
                missing: .authFailed,
                plain: errSecAuthFailed,
                constrained: errSecAuthFailed
            ),
            Row(
                testDescription: "always -25291",
                missing: .notAvailable,
                plain: errSecNotAvailable,
                constrained: errSecNotAvailable
            ),
        ]
    )
    func `can be made, but no item with it`(row: Row) throws {
        var behavior = BehaviorProfile.documented
        behavior.passcodeMissing = row.missing
        let gated = try GatedApp(passcode: nil, behavior: behavior)
        let protection = kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
        #expect(gated.control(.userPresence, protection) != nil)
        #expect(gated.addPlain("alice", protection) == row.plain)
        #expect(gated.add([], protection) == row.plain)
        #expect(gated.add(.userPresence, protection) == row.constrained)
        #expect(gated.add(.devicePasscode, protection) == row.constrained)
        #expect(gated.read() == errSecItemNotFound)
        #expect(gated.takePrompts() == [])
    }

    @Test(
        .requirement("SAC-24"),
        arguments: [SecAccessControlCreateFlags.userPresence, .devicePasscode, .biometryAny]
            .map(\.rawValue)
    )
    func `binds nothing of another class to a person either`(
        flags: SecAccessControlCreateFlags.RawValue
    ) throws {
        let gated = try GatedApp(passcode: nil)
        let flags = SecAccessControlCreateFlags(rawValue: flags)
        #expect(gated.control(flags) != nil)
        #expect(gated.add(flags) == errSecAuthFailed)
        #expect(gated.read() == errSecItemNotFound)
        #expect(gated.takePrompts() == [])
        try gated.device.setPasscode("0000", current: nil)
        #expect(gated.add(flags) == errSecSuccess)
    }

    @Test func `stays shut for good once the passcode was removed`() throws {
        let gated = try GatedApp()
        #expect(gated.add(.userPresence) == errSecSuccess)
        try gated.device.setPasscode("1111", current: "0000")
        gated.device.user = SimulatedUser(biometric: "owner", passcode: "1111")
        #expect(gated.read() == errSecSuccess)
        try gated.device.removePasscode(current: "1111")
        _ = gated.takePrompts()
        #expect(gated.read() == errSecAuthFailed)
        #expect(gated.takePrompts() == [])
        try gated.device.setPasscode("1111", current: nil)
        #expect(gated.read() == errSecAuthFailed)
        #expect(gated.delete() == errSecSuccess)
    }
}
