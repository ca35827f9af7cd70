import Foundation
import KeychainServices
import KeychainSimulator
import MigrationTestSupport
import TestSupport
import Testing

@testable import KeychainItems
@testable import KeychainMigration

@Suite struct `An access control that is replaced` {
    static let presence = ItemAccessControl(accessibility: .whenUnlockedThisDeviceOnly, flags: 1)
    static let anyBiometry = ItemAccessControl(
        accessibility: .whenPasscodeSetThisDeviceOnly,
        flags: 2
    )

    private func filled(_ control: ItemAccessControl? = Self.presence) throws -> InMemoryKeychain {
        let keychain = InMemoryKeychain()
        var item = KeychainItem(
            at: .token(),
            accessibility: .whenUnlockedThisDeviceOnly,
            value: SecretBytes("secret")
        )
        item.accessControl = control
        item.attributes[.label] = "Token"
        try keychain.add(item)
        return keychain
    }

    private var replacement: AccessControlReplacement {
        AccessControlReplacement(of: .token(), to: Self.anyBiometry)
    }

    private func context(
        _ keychain: any Keychain,
        execution: MigrationContext.Execution = .foreground,
        isDryRun: Bool = false
    ) -> MigrationContext {
        MigrationContext(
            mover: Mover(keychain: keychain, journal: InMemoryJournal()),
            execution: execution,
            isDryRun: isDryRun
        )
    }

    /// Whether the keychain holds the secret, under its name or in safekeeping.
    @Sendable private static func holdsSecret(_ keychain: InMemoryKeychain) -> Bool {
        let base64 = Data("secret".utf8).base64EncodedString()
        return keychain.items.contains {
            $0.value?.text == "secret" || ($0.value?.text.contains(base64) ?? false)
        }
    }

    @Test func `leaves one item with the new one and all else as it was`() throws {
        let keychain = try filled()
        #expect(replacement.run(in: context(keychain)).outcomes == [.changed])
        #expect(keychain.items.count == 1)
        let item = try #require(try keychain.read(.token()))
        #expect(item.accessControl == Self.anyBiometry)
        #expect(item.value?.text == "secret")
        #expect(item.attributes[.label] == "Token")
        #expect(replacement.run(in: context(keychain)).outcomes == [.alreadyThere])
    }

    @Test(.requirement("MIG-37"), arguments: 0...4)
    func `survives a kill after any effect`(limit: Int) throws {
        let keychain = try filled()
        let injector = CrashInjector(limit: limit) { #expect(Self.holdsSecret(keychain)) }
        let cut = replacement.run(in: context(CrashingKeychain(keychain, injector)))
        #expect(cut.isComplete == (limit == 4))
        #expect(Self.holdsSecret(keychain))
        #expect(replacement.run(in: context(keychain)).isComplete)
        #expect(keychain.items.count == 1)
        #expect(try keychain.text(.token()) == "secret")
        #expect(try keychain.read(.token())?.accessControl == Self.anyBiometry)
    }

    /// Refuses items with a new access control, as a phone without biometry does.
    private struct PickyKeychain: ForwardingKeychain {
        let base: InMemoryKeychain
        func add(_ item: KeychainItem) throws(KeychainFailure) {
            guard item.accessControl != `An access control that is replaced`.anyBiometry else {
                throw KeychainFailure(.add, status: -25293)
            }
            try base.add(item)
        }
    }

    @Test(.requirement("MIG-37"))
    func `restores the old item if the new one cannot be added`() throws {
        let keychain = try filled()
        let report = replacement.run(in: context(PickyKeychain(base: keychain)))
        let refusal = KeychainFailure(.add, status: -25293)
        #expect(report.outcomes == [.failed(.keychain(refusal))])
        #expect(keychain.items.count == 1)
        let item = try #require(try keychain.read(.token()))
        #expect(item.value?.text == "secret")
        #expect(item.accessControl == Self.presence)
        #expect(item.attributes[.label] == "Token")
    }

    @Test(.requirement("MIG-37"))
    func `keeps the secret safe while neither item can be made`() throws {
        let keychain = try filled()
        // After it was put into safekeeping and deleted, nothing can be added any more.
        let injector = CrashInjector(limit: 2)
        let report = replacement.run(in: context(CrashingKeychain(keychain, injector)))
        #expect(!report.isComplete)
        #expect(try keychain.read(.token()) == nil)
        #expect(Self.holdsSecret(keychain))
        #expect(replacement.run(in: context(keychain)).outcomes == [.changed])
        #expect(try keychain.text(.token()) == "secret")
    }

    @Test func `begins anew if the item was changed since`() throws {
        let keychain = try filled()
        _ = replacement.run(in: context(CrashingKeychain(keychain, CrashInjector(limit: 1))))
        try keychain.update(.token(), ItemChange(value: SecretBytes("newer")))
        #expect(replacement.run(in: context(keychain)).outcomes == [.changed])
        #expect(try keychain.text(.token()) == "newer")
        #expect(keychain.items.count == 1)
    }

    @Test(.requirement("MIG-38"))
    func `is not replaced in the background`() throws {
        let keychain = try filled()
        let report = replacement.run(in: context(keychain, execution: .background))
        #expect(report.deferralReason != nil)
        #expect(try keychain.read(.token())?.accessControl == Self.presence)
    }

    @Test(.requirement("MIG-48"))
    func `is only planned in a dry run`() throws {
        let keychain = try filled()
        keychain.removeCalls()
        let report = replacement.run(in: context(keychain, isDryRun: true))
        #expect(report.outcomes == [.planned("replace the access control")])
        #expect(Set(keychain.calls).isSubset(of: [.read, .list]))
    }

    @Test func `works in a real keychain where nobody has to be asked`() throws {
        let phone = try Phone()
        try phone.app.run { () throws in
            let keychain = ServicesKeychain()
            try keychain.add(.token(), "secret", accessibility: .whenUnlocked, label: "Token")
            let plain = ItemAccessControl(accessibility: .whenPasscodeSetThisDeviceOnly, flags: 0)
            let operation = AccessControlReplacement(of: .token(), to: plain)
            #expect(operation.run(in: context(keychain)).outcomes == [.changed])
            let item = try #require(try keychain.read(.token()))
            #expect(item.accessibility == .whenPasscodeSetThisDeviceOnly)
            #expect(item.value?.text == "secret")
            #expect(try keychain.list(.everything).count == 1)
        }
    }

    @Test(.requirement("MIG-37"))
    func `is replaced on a phone whose owner is there, and not without them`() throws {
        let phone = try Phone()
        let presence = ItemAccessControl(accessibility: .whenUnlocked, flags: 1)
        let passcode = ItemAccessControl(accessibility: .whenUnlocked, flags: 16)
        try phone.app.run { () throws in
            let keychain = ServicesKeychain()
            var item = KeychainItem(at: .token(), value: SecretBytes("secret"))
            item.accessControl = presence
            try keychain.add(item)
            let operation = AccessControlReplacement(of: .token(), to: passcode)
            phone.device.user.cancels = true
            #expect(!operation.run(in: context(keychain)).isComplete)
            phone.device.user = .owner
            let before = try #require(try keychain.read(.token()))
            #expect(before.value?.text == "secret")
            #expect(before.accessControl == presence)
            #expect(operation.run(in: context(keychain)).outcomes == [.changed])
            let after = try #require(try keychain.read(.token()))
            #expect(after.value?.text == "secret")
            #expect(after.accessControl == passcode)
            #expect(try keychain.list(.everything, gated: .ask).count == 1)
        }
    }

    @Test(.requirement("MIG-37"))
    func `restores the old item on a phone that cannot bind the new one`() throws {
        let device = try SimulatedDevice(biometry: .none)
        let app = device.install(.init(bundleIdentifier: "com.example.app"))
        try app.run { () throws in
            let keychain = ServicesKeychain()
            try keychain.add(.token(), "secret", accessibility: .whenUnlocked, label: "Token")
            let currentSet = ItemAccessControl(accessibility: .whenUnlocked, flags: 8)
            let operation = AccessControlReplacement(of: .token(), to: currentSet)
            let report = operation.run(in: context(keychain))
            #expect(!report.isComplete, "\(report)")
            let item = try #require(try keychain.read(.token()))
            #expect(item.value?.text == "secret")
            #expect(item.accessControl == nil)
            #expect(item.attributes[.label] == "Token")
            #expect(try keychain.list(.everything).count == 1)
        }
    }

    @Test(
        arguments: [
            (ItemAccessibility.whenUnlocked, 1), (.whenUnlockedThisDeviceOnly, 2),
            (.whenPasscodeSetThisDeviceOnly, 8), (.afterFirstUnlock, 16),
            (.whenUnlockedThisDeviceOnly, 2 | 16 | 1 << 14),
            (.whenUnlockedThisDeviceOnly, 8 | 16 | 1 << 15 | 1 << 30),
        ] as [(ItemAccessibility, UInt)]
    )
    func `is recognized by comparing`(accessibility: ItemAccessibility, flags: UInt) throws {
        let object = try #require(
            SecAccessControlCreateWithFlags(
                nil,
                accessibility.rawValue as CFString,
                SecAccessControlCreateFlags(rawValue: flags),
                nil
            )
        )
        let expected = ItemAccessControl(accessibility: accessibility, flags: flags)
        #expect(ItemAccessControl(recognizing: object, near: accessibility) == expected)
        #expect(ItemAccessControl(recognizing: object, near: nil) == expected)
    }
}

@Suite struct `An accessibility that is changed` {
    let phone: Phone
    let keychain = ServicesKeychain()
    init() throws { phone = try Phone() }

    private func context(
        _ execution: MigrationContext.Execution = .foreground,
        isDryRun: Bool = false
    ) -> MigrationContext {
        MigrationContext(
            mover: Mover(journal: InMemoryJournal()),
            execution: execution,
            isDryRun: isDryRun
        )
    }

    @Test(.requirement("MIG-18"))
    func `is changed in place, and value and creation date stay`() throws {
        try phone.app.run { () throws in
            try keychain.add(.token(), "secret", accessibility: .whenUnlocked, label: "Token")
            let before = try #require(try keychain.read(.token()))
            phone.device.advance(by: .seconds(3600))
            let report = AccessibilityChange(of: [.token(), .token("absent")]).run(in: context())
            #expect(report.outcomes == [.changed, .nothingThere])
            let after = try #require(try keychain.read(.token()))
            #expect(after.accessibility == .afterFirstUnlockThisDeviceOnly)
            #expect(after.value?.text == "secret")
            #expect(after.created == before.created)
            #expect(after.reference == before.reference)
            #expect(after.attributes == before.attributes)
        }
        phone.device.lock()
        try phone.app.run { () throws in #expect(try keychain.text(.token()) == "secret") }
    }

    @Test(.requirement("MIG-38"))
    func `is left alone in the background`() throws {
        try phone.app.run { () throws in
            try keychain.add(.token(), "secret", accessibility: .whenUnlocked)
            let report = AccessibilityChange(of: [.token()]).run(in: context(.background))
            #expect(
                report.outcomes == [.deferred("no accessibility changes in the background")]
            )
            #expect(try keychain.read(.token())?.accessibility == .whenUnlocked)
        }
    }

    @Test(.requirement("MIG-48"))
    func `is only planned in a dry run of it`() throws {
        try phone.app.run { () throws in
            try keychain.add(.token(), "secret", accessibility: .whenUnlocked)
            let report = AccessibilityChange(of: [.token()]).run(in: context(isDryRun: true))
            #expect(report.outcomes == [.planned("change the accessibility")])
            #expect(try keychain.read(.token())?.accessibility == .whenUnlocked)
        }
    }
}
