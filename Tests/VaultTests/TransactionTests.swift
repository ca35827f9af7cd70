import Foundation
import KeychainServices
import KeychainSimulator
import TestSupport
import Testing
import VaultTesting

@testable import Vault

extension SecretItem where Self == Password {
    fileprivate static var first: Password {
        Password(service: "api", account: "first", label: "First")
    }
    fileprivate static var second: Password { Password(service: "api", account: "second") }
    fileprivate static var third: Password {
        Password(service: "api", account: "third", protection: .whenUnlocked)
    }
}

/// Three items before and after a transaction that updates, deletes and adds one each.
private struct ThreeItems {
    static let before = ["old", "old", nil]
    static let after = ["new", nil, "new"]

    func prepare() throws {
        try Vault().save("old", in: .first)
        try Vault().save("old", in: .second)
    }

    func change(in vault: Vault) throws {
        try vault.transaction { changes in
            changes.save("new", in: .first)
            changes.delete(.second)
            changes.save("new", in: .third)
        }
    }

    func texts() throws -> [String?] {
        try [Password.first, .second, .third].map { try Vault().text($0) }
    }

    /// The notes of transactions that are not over.
    func notes() throws -> Int { try Vault().list(.passwords(service: Intent.service)).count }
}

@Suite(.device()) struct `A transaction` {
    private let items = ThreeItems()

    init() throws {}

    @Test(.requirement("VLT-06")) func `makes all changes, and leaves no notes`() throws {
        try items.prepare()
        try items.change(in: Vault())
        #expect(try items.texts() == ThreeItems.after)
        #expect(try items.notes() == 0)
        #expect(try Vault().recover() == 0)
    }

    /// The calls of a whole transaction of three items.
    static let callCount = 12

    @Test func `makes as many calls as the tests of its interruption count`() throws {
        try items.prepare()
        let process = DyingProcess(callsLeft: .max)
        try items.change(in: Vault(calls: process.calls))
        #expect(process.count == Self.callCount)
    }

    @Test(.requirement("VLT-06"), arguments: 0..<callCount)
    func `is whole or undone after a kill at any call`(limit: Int) throws {
        try items.prepare()
        let process = DyingProcess(callsLeft: limit)
        #expect(throws: VaultError.self) { try items.change(in: Vault(calls: process.calls)) }
        try Vault().recover()
        let texts = try items.texts()
        #expect(texts == ThreeItems.before || texts == ThreeItems.after)
        #expect(try items.notes() == 0)
        // Afterwards the items are as usable as ever.
        try items.change(in: Vault())
        #expect(try items.texts() == ThreeItems.after)
    }

    @Test(.requirement("VLT-06"), arguments: 0..<8)
    func `survives a kill of the recovery, too`(limit: Int) throws {
        try items.prepare()
        let process = DyingProcess(callsLeft: 8)
        #expect(throws: VaultError.self) { try items.change(in: Vault(calls: process.calls)) }
        let second = DyingProcess(callsLeft: limit)
        _ = failure { try Vault(calls: second.calls).recover() }
        try Vault().recover()
        #expect(try items.texts() == ThreeItems.after)
        #expect(try items.notes() == 0)
    }

    @Test func `changes nothing if one change is refused`() throws {
        try items.prepare()
        let calls = refusing(account: "third", with: errSecIO)
        let error = try #require(failure { try items.change(in: Vault(calls: calls)) })
        #expect(error.status == errSecIO)
        #expect(error.item?.contains("third") == true)
        #expect(try items.texts() == ThreeItems.before)
        #expect(try items.notes() == 0)
    }

    @Test func `keeps label and availability of an item that it undoes`() throws {
        let phone = try TestDevice.current
        try items.prepare()
        let stricter = Password(
            service: "api",
            account: "first",
            protection: .whenUnlockedThisDeviceOnly,
            label: "Other"
        )
        let vault = Vault(calls: refusing(account: "third", with: errSecIO))
        _ = failure {
            try vault.transaction { changes in
                changes.save("new", in: stricter)
                changes.save("new", in: .third)
            }
        }
        let found = try Vault().list(.passwords(account: "first")).map(\.item)
        #expect(found.map(\.label) == ["First"])
        phone.device.lock()
        #expect(try Vault().text(.first) == "old")
    }

    @Test func `begins nothing while an item is locked`() throws {
        try items.prepare()
        try Vault().save("old", in: .third)
        try TestDevice.current.device.lock()
        #expect(failure { try items.change(in: Vault()) }?.reason == .locked)
        try TestDevice.current.device.unlock(passcode: "0000")
        #expect(try items.texts() == ["old", "old", "old"])
        #expect(try items.notes() == 0)
    }

    @Test(.requirement("VLT-06"), arguments: 0..<callCount)
    func `is whole or undone after a lock before any call`(limit: Int) throws {
        let phone = try TestDevice.current
        try items.prepare()
        let vault = Vault(calls: locking(phone.device, beforeCall: limit))
        _ = failure { try items.change(in: vault) }
        try phone.device.unlock(passcode: "0000")
        try Vault().recover()
        let texts = try items.texts()
        #expect(texts == ThreeItems.before || texts == ThreeItems.after)
        #expect(try items.notes() == 0)
    }

    @Test func `brings back no item that it need not delete`() throws {
        let item =
            [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "api", kSecAttrAccount as String: "second",
                kSecAttrGeneric as String: Data("g".utf8),
                kSecValueData as String: Data("old".utf8),
            ] as [String: Any]
        #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
        let calls = refusing(account: "third", with: errSecIO)
        _ = failure { try items.change(in: Vault(calls: calls)) }
        var query = item
        query[kSecValueData as String] = nil
        // The attribute is one that this module does not know.
        #expect(SecItemCopyMatching(query as CFDictionary, nil) == errSecSuccess)
    }

    @Test func `names what it cannot read in notes of another version`() throws {
        let notes = Password(service: Intent.service, account: "later")
        try Vault().save("no notes", in: notes)
        let error = try #require(failure { try items.change(in: Vault()) })
        #expect(error.reason == .undecodable && error.advice.contains("Another version"))
        #expect(try Vault().text(notes) == "no notes")
    }

    @Test func `changes two items whose names only look alike`() throws {
        let names = ["caf\u{E9}", "cafe\u{301}"].map { Password(service: "api", account: $0) }
        try Vault().transaction { changes in
            changes.save("1", in: names[0])
            changes.save("2", in: names[1])
        }
        #expect(try names.map { try Vault().text($0) } == ["1", "2"])
    }

    @Test func `is completed after the unlock if its notes are locked`() throws {
        let phone = try TestDevice.current
        try items.prepare()
        let process = DyingProcess(callsLeft: 8)
        #expect(throws: VaultError.self) { try items.change(in: Vault(calls: process.calls)) }
        phone.device.lock()
        #expect(failure { try Vault().recover() }?.reason == .locked)
        try phone.device.unlock(passcode: "0000")
        #expect(try Vault().recover() == 1)
        #expect(try items.texts() == ThreeItems.after)
    }

    @Test func `refuses items with a constraint before it begins`() throws {
        let error = try #require(
            failure {
                try Vault().transaction { changes in
                    changes.save("1", in: .first)
                    changes.save("2", in: .diary)
                }
            }
        )
        #expect(error.reason == .invalid)
        #expect(try Vault().text(.first) == nil)
    }

    @Test func `counts the last plan for an item`() throws {
        try Vault().transaction { changes in
            changes.save("1", in: .first)
            changes.delete(.first)
            changes.save("2", in: .first)
        }
        #expect(try Vault().text(.first) == "2")
    }

    @Test func `without a plan makes no call`() throws {
        let process = DyingProcess(callsLeft: 0)
        try Vault(calls: process.calls).transaction { _ in }
        #expect(process.count == 0)
    }

    /// ★ What the notes of a transaction are protected with, by what its items are.
    static let notes: [([Protection], Protection.Availability)] = [
        ([.afterFirstUnlock], .afterFirstUnlock),
        ([.afterFirstUnlock, .whenUnlocked], .whenUnlocked),
        ([.afterFirstUnlockThisDeviceOnly, .whenUnlocked], .whenUnlockedThisDeviceOnly),
        ([.afterFirstUnlockThisDeviceOnly], .afterFirstUnlockThisDeviceOnly),
        ([.whenPasscodeSetThisDeviceOnly, .whenUnlocked], .whenPasscodeSetThisDeviceOnly),
        ([.synced(.afterFirstUnlock)], .afterFirstUnlock),
    ]

    @Test(arguments: notes)
    func `protects its notes like the strictest item`(
        items: [Protection],
        expected: Protection.Availability
    ) {
        let steps = items.map { protection in
            var transaction = Transaction()
            transaction.save("1", in: Password(service: "s", account: "a", protection: protection))
            return transaction.steps
        }
        #expect(Intent(id: "1", steps: steps.flatMap(\.self)).availability == expected)
    }
}

@Suite(.device()) struct `Single calls that are killed` {
    @Test(.requirement("VLT-06"), arguments: 0..<3, [nil, "old"])
    func `leave the old value or the new one when they save`(limit: Int, old: String?) throws {
        if let old { try Vault().save(old, in: .token) }
        let process = DyingProcess(callsLeft: limit)
        _ = failure { try Vault(calls: process.calls).save("new", in: .token) }
        let text = try Vault().text(.token)
        #expect(text == old || text == "new")
    }

    @Test(.requirement("VLT-06"), arguments: 0..<4)
    func `leave a value or none when they read or create`(limit: Int) throws {
        let process = DyingProcess(callsLeft: limit)
        _ = failure { _ = try Vault(calls: process.calls).readOrCreate(.token) { "made" } }
        let text = try Vault().text(.token)
        #expect(text == nil || text == "made")
        #expect(try Vault().readOrCreate(.token) { "made" } == "made")
    }
}
