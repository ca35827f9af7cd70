import Foundation
import KeychainServices
import KeychainSimulator
import TestSupport
import Testing
import VaultTesting

@testable import Vault

/// What a program can do that shares a group with this one, and nothing else.
@Suite(.device(app: .twoGroups)) struct `A program that shares a group` {
    private let own = Vault(accessGroup: ownGroup)
    private let shared = Vault(accessGroup: sharedGroup)

    init() throws {}

    @Test(arguments: [StoredItem(bytes: Data("evil".utf8), availability: .afterFirstUnlock), nil])
    func `cannot plant notes that change an item of another group`(planted: StoredItem?) throws {
        try own.save("mine", in: .token)
        let step = Step(name: Password.token.address, group: ownGroup, new: planted, old: nil)
        let notes = Intent(id: "planted", steps: [step])
        try shared.save(notes, in: notes.item)
        #expect(try Vault().recover() == 0)
        #expect(try own.text(.token) == "mine")
        #expect(try shared.list(.passwords(service: Intent.service)).isEmpty)
    }

    @Test func `cannot offer a new secret for an item of another group`() throws {
        try own.save("mine", in: .token)
        let waiting = try own.rotate(.token, to: "new").waiting
        try own.pendingRotation(of: Password.token)?.cancel()
        try shared.save("evil", in: waiting)
        #expect(try Vault().pendingRotation(of: .token) == nil)
        try Vault().rotate(.token, to: "newer").confirm()
        #expect(try own.text(.token) == "newer")
    }

    @Test func `cannot put a key in front of another group's`() throws {
        let signer = Key(tag: "signer", kind: .p256)
        try shared.make(signer)
        let key = try own.make(signer)
        #expect(failure { _ = try Vault().read(signer) }?.reason == .ambiguous)
        #expect(failure { _ = try Vault().readOrMake(signer) }?.reason == .ambiguous)
        #expect(try own.read(signer)?.publicKey.bytes == key.publicKey.bytes)
    }

    @Test(arguments: [kSecAttrAccount as String, kSecAttrService as String])
    func `cannot have its item taken for another one`(attribute: String) throws {
        var item =
            [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrAccessGroup as String: sharedGroup,
                kSecAttrService as String: "api", kSecAttrAccount as String: "",
                kSecValueData as String: Data("theirs".utf8),
            ] as [String: Any]
        item[attribute] = Data([0xFF, 0xFE])
        #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
        #expect(try Vault().list(.passwords()).isEmpty)
    }

    @Test func `cannot write lines into a log by a name`() throws {
        let name = Password(service: "a\u{1B}[31m", account: "b\nread password x\u{202E}👩\u{200D}🚒")
        try shared.save("1", in: name)
        let error = try #require(failure { try shared.create("2", in: name) })
        let escaped = "a\\u{1b}[31m/b\\u{a}read password x\\u{202e}👩\u{200D}🚒"
        #expect(error.item == "password \(escaped)")
        #expect(try shared.text(name) == "1")
    }
}

@Suite(.device(app: .twoGroups)) struct `A vault with a group` {
    @Test(arguments: [nil, ownGroup, sharedGroup])
    func `rotates what is there, and nothing else`(group: String?) throws {
        let vault = Vault(accessGroup: group)
        #expect(failure { _ = try vault.rotate(.token, to: "new") }?.reason == .notFound)
        #expect(try vault.pendingRotation(of: .token) == nil)
        try vault.save("old", in: .token)
        #expect(try vault.pendingRotation(of: .token) == nil)
        _ = try vault.rotate(.token, to: "new")
        try vault.pendingRotation(of: Password.token)?.confirm()
        #expect(try vault.text(.token) == "new")
        #expect(try vault.pendingRotation(of: .token) == nil)
    }

    @Test func `changes items of one group at a time`() throws {
        try Vault(accessGroup: sharedGroup).save("old", in: .token)
        let error = failure {
            try Vault().transaction { changes in
                changes.save("new", in: .token)
                changes.save("new", in: .pin)
            }
        }
        #expect(error?.reason == .invalid)
        #expect(try Vault().text(.token) == "old")
        #expect(try Vault().text(.pin) == nil)
        #expect(try Vault().list(.passwords(service: Intent.service)).isEmpty)
        try Vault().transaction { $0.save("new", in: .token) }
        #expect(try Vault(accessGroup: sharedGroup).text(.token) == "new")
    }
}
