import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

/// ★ A call on which Apple's documentation and Apple's source disagree.
private struct Switch: Sendable, CustomTestStringConvertible {
    /// The id of the rule that the findings name.
    let rule: String
    let testDescription: String
    let documented: OSStatus
    let appleSource: OSStatus
    /// Turns this one switch to the source's outcome.
    let turn: @Sendable (inout BehaviorProfile) -> Void
    /// The call, on a device that holds `mail`.
    let call: @Sendable () -> OSStatus

    static let all = [
        Switch(
            rule: "primary-key-update",
            testDescription: "update of the primary key",
            documented: errSecParam,
            appleSource: errSecSuccess,
            turn: { $0.primaryKeyUpdate = .allow },
            call: { Items.update(.mail, [kSecAttrAccount: "bob"]) }
        ),
        Switch(
            rule: "access-control-update",
            testDescription: "update of the access control",
            documented: errSecParam,
            appleSource: errSecSuccess,
            turn: { $0.accessControlUpdate = .allow },
            call: { Items.update(.mail, [kSecAttrAccessControl: Sample.accessControl.object]) }
        ),
        Switch(
            rule: "tag-on-certificate",
            testDescription: "application tag of a certificate",
            documented: errSecParam,
            appleSource: errSecNoSuchAttr,
            turn: { $0.tagOnCertificate = .noSuchAttribute },
            call: {
                Items.add(StoredClass.certificate.item.with([kSecAttrApplicationTag: Data([1])]))
            }
        ),
        Switch(
            rule: "key-without-type",
            testDescription: "key without a type",
            documented: errSecParam,
            appleSource: errSecSuccess,
            turn: { $0.keyWithoutType = .allow },
            call: {
                Items.add([kSecClass: kSecClassKey, kSecAttrApplicationTag: Data([1])])
            }
        ),
        Switch(
            rule: "synchronizable-this-device",
            testDescription: "synchronizable item for this device only",
            documented: errSecParam,
            appleSource: errSecSuccess,
            turn: { $0.synchronizableThisDeviceOnly = .allow },
            call: {
                Items.add(
                    .mail.with([
                        kSecAttrSynchronizable: true,
                        kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
                    ])
                )
            }
        ),
        Switch(
            rule: "class-in-update",
            testDescription: "class among new values",
            documented: errSecParam,
            appleSource: errSecNoSuchAttr,
            turn: { $0.foreignUpdateKey = .noSuchAttribute },
            call: { Items.update(.mail, [kSecClass: kSecClassGenericPassword]) }
        ),
    ]
}

@Suite struct `Where documentation and source disagree` {
    @Test(.requirement("CLS-22", "CLS-26"), arguments: Switch.all)
    private func `the documentation decides`(row: Switch) throws {
        try check(row, .documented, row.documented)
    }

    @Test(arguments: Switch.all)
    private func `the profile of the source follows the source`(row: Switch) throws {
        try check(row, .appleSource, row.appleSource)
    }

    @Test(arguments: Switch.all)
    private func `one switch can be turned alone`(row: Switch) throws {
        var behavior = BehaviorProfile.documented
        row.turn(&behavior)
        try check(row, behavior, row.appleSource)
    }

    private func check(_ row: Switch, _ behavior: BehaviorProfile, _ status: OSStatus) throws {
        try onNewDevice(behavior: behavior) { device in
            Items.add(.mail.holding("secret"))
            let before = Snapshot()
            #expect(row.call() == status)
            #expect((Snapshot() == before) == (status != errSecSuccess))
            let finding = try #require(device.finding(row.rule))
            #expect(finding.status == status)
            let other = try #require(finding.otherProfile)
            #expect(other.contains("documented") && other.contains("appleSource"))
        }
    }
}

@Suite struct `A primary key that may change` {
    @Test func `moves the item and keeps its row`() throws {
        try onNewDevice(behavior: .appleSource) { _ in
            Items.add(.mail.holding("secret"))
            let reference = try #require(Items.reference(.mail))
            let created = Items.attributes(.mail)[.creationDate] as? Date
            #expect(Items.update(.mail, [kSecAttrAccount: "bob"]) == errSecSuccess)
            #expect(Items.find(.mail).status == errSecItemNotFound)
            let moved = Attributes.mail.with([kSecAttrAccount: "bob"])
            #expect(Items.value(moved) == "secret")
            #expect(Items.reference(moved) == reference)
            #expect(created != nil && Items.attributes(moved)[.creationDate] as? Date == created)
            #expect(Items.add(.mail.holding("new")) == errSecSuccess)
        }
    }

    @Test func `never takes the place of another item`() throws {
        try onNewDevice(behavior: .appleSource) { _ in
            Items.add(.mail.holding("one"))
            Items.add(.mail.with([kSecAttrAccount: "bob"]).holding("two"))
            let before = Snapshot()
            let change: Attributes = [kSecAttrAccount: "bob", kSecAttrLabel: "x"]
            #expect(Items.update(.mail, change) == errSecDuplicateItem)
            #expect(Snapshot() == before)
        }
    }

    @Test func `changes all matches or none`() throws {
        try onNewDevice(behavior: .appleSource) { _ in
            Items.add(.mail.holding("one"))
            Items.add(.mail.with([kSecAttrAccount: "bob"]).holding("two"))
            let before = Snapshot()
            let both: Attributes = [kSecClass: kSecClassGenericPassword, kSecAttrService: "mail"]
            #expect(Items.update(both, [kSecAttrAccount: "eve"]) == errSecDuplicateItem)
            #expect(Snapshot() == before)
        }
    }

    @Test func `may be repeated in every profile`() throws {
        try onNewDevice { device in
            Items.add(.mail.holding("secret"))
            let same: Attributes = [kSecAttrAccount: "ada", kSecAttrLabel: "new"]
            #expect(Items.update(.mail, same) == errSecSuccess)
            #expect(Items.attributes(.mail)[.label] as? String == "new")
            #expect(device.finding("primary-key-update") == nil)
        }
    }
}

@Suite struct `An access control that may change` {
    @Test func `brings its accessibility with it`() throws {
        try onNewDevice(behavior: .appleSource) { device in
            Items.add(.mail.holding("secret"))
            let control = SecAccessControlCreateWithFlags(
                nil,
                kSecAttrAccessibleAfterFirstUnlock,
                [],
                nil
            )
            let change: Attributes = [kSecAttrAccessControl: control as Any]
            #expect(Items.update(.mail, change) == errSecSuccess)
            #expect(Items.attributes(.mail)[.accessible] as? String == .afterFirstUnlock)
            #expect(Items.attributes(.mail)[.accessControl] as? SecAccessControl == control)
            device.lock()
            #expect(Items.value(.mail) == "secret")
        }
    }
}
