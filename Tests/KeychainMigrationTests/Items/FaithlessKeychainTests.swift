import Foundation
import MigrationTestSupport
import TestSupport
import Testing

@testable import KeychainMigration

/// A keychain that says yes, and keeps another value than it was given.
private struct FaithlessKeychain: ForwardingKeychain {
    let base = InMemoryKeychain()

    private static let other = SecretBytes("another")

    func add(_ item: KeychainItem) throws(KeychainFailure) {
        var spoiled = item
        spoiled.value = Self.other
        try base.add(spoiled)
    }

    func update(_ address: ItemAddress, _ change: ItemChange) throws(KeychainFailure) {
        try base.update(address, change)
        try base.update(address, ItemChange(value: Self.other))
    }
}

@Suite struct `A keychain that keeps another value than it was given` {
    private let keychain = FaithlessKeychain()
    private let context: MigrationContext

    init() throws {
        let item = KeychainItem(
            at: .token(),
            accessibility: .whenUnlocked,
            value: SecretBytes("secret")
        )
        try keychain.base.add(item)
        context = MigrationContext(mover: Mover(keychain: keychain, journal: InMemoryJournal()))
    }

    @Test func `never has the only copy of a value whose access control is replaced`() throws {
        let control = ItemAccessControl(accessibility: .whenUnlocked, flags: 1)
        let report = AccessControlReplacement(of: .token(), to: control).run(in: context)
        #expect(report.outcomes != [.changed])
        #expect(try keychain.read(.token())?.value?.text == "secret")
    }

    @Test(.requirement("MIG-18"))
    func `is reported where an accessibility is changed`() throws {
        let change = AccessibilityChange(of: [.token()], to: .afterFirstUnlock)
        #expect(change.run(in: context).outcomes == [.failed(.verificationMismatch)])
    }
}
