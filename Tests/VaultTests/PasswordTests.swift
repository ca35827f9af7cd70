import Foundation
import KeychainServices
import KeychainSimulator
import TestSupport
import Testing
import Vault
import VaultTesting

@Suite(.device(app: .twoGroups)) struct `A vault` {
    let vault = Vault()

    @Test func `returns what it saved last, and nil after a deletion`() throws {
        #expect(try vault.text(.token) == nil)
        try vault.save("one", in: .token)
        try vault.save("two", in: .token)
        #expect(try vault.text(.token) == "two")
        #expect(try vault.delete(.token) == .deleted)
        #expect(try vault.delete(.token) == .wasAbsent)
        #expect(try vault.text(.token) == nil)
    }

    @Test func `stores texts and data as other programs do`() throws {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "api", kSecAttrAccount as String: "token",
            kSecReturnData as String: true,
        ]
        var result: CFTypeRef?
        try vault.save("t0ken", in: .token)
        #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
        #expect(result as? Data == Data("t0ken".utf8))
        try vault.save(Data([0, 255]), in: .token)
        #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
        #expect(result as? Data == Data([0, 255]))
        #expect(try vault.data(.token) == Data([0, 255]))
    }

    @Test func `keeps the dates and the reference of an item that it updates`() throws {
        let phone = try TestDevice.current
        try vault.save("one", in: .token)
        let before = try #require(try vault.list(.passwords()).first)
        phone.device.advance(by: .seconds(60))
        try vault.save("two", in: .token)
        let after = try #require(try vault.list(.passwords()).first)
        #expect(after.created == before.created)
        #expect(after.modified != before.modified)
    }

    @Test func `brings an item to the availability that its description names`() throws {
        let phone = try TestDevice.current
        let old = Password(service: "api", account: "token", protection: .whenUnlocked)
        try vault.save("t0ken", in: old)
        try vault.save("t0ken", in: .token)
        phone.device.lock()
        #expect(try vault.text(.token) == "t0ken")
    }

    @Test func `keeps a local and a synchronized item of the same name apart`() throws {
        let synced = Password(service: "api", account: "token", protection: .synced())
        try vault.save("here", in: .token)
        try vault.save("everywhere", in: synced)
        #expect(try vault.text(.token) == "here")
        #expect(try vault.text(synced) == "everywhere")
        try vault.delete(synced)
        #expect(try vault.text(.token) == "here")
    }

    @Test func `creates an item only once`() throws {
        try vault.create("one", in: .token)
        let error = try #require(failure { try vault.create("two", in: .token) })
        #expect(error.reason == .duplicate)
        #expect(try vault.text(.token) == "one")
    }

    @Test func `reads what is there, and creates what is not`() throws {
        let first = try vault.readOrCreate(.token) { "one" }
        let second = try vault.readOrCreate(.token) { "two" }
        #expect([first, second] == ["one", "one"])
    }

    @Test func `takes the value of another program that creates the item at the same time`() throws
    {
        let value = try vault.readOrCreate(.token) {
            #expect(throws: Never.self) { try Vault().save("theirs", in: .token) }
            return "mine"
        }
        #expect(value == "theirs")
        #expect(try vault.text(.token) == "theirs")
    }

    @Test(arguments: [nil, "", "t0ken", "null", "\u{FEFF}mark", "a\0b", "😀", "7"] as [String?])
    func `stores an optional text as a text, and nil not at all`(text: String?) throws {
        let error = failure { try vault.save(text, in: .token) }
        #expect(error?.reason == (text == nil ? .invalid : nil))
        let (found, optional) = try (vault.text(.token), vault.read(.token, as: String?.self))
        #expect(
            found?.unicodeScalars.elementsEqual((text ?? "?").unicodeScalars)
                == text.map { _ in true }
        )
        #expect(optional ?? nil == text)
        #expect(failure { try vault.save(Int?.none, in: .pin) }?.reason == .invalid)
        try vault.save(Int?.some(7), in: .pin)
        #expect(try vault.read(.pin, as: Int.self) == 7)
    }

    @Test func `leaves an empty text an empty text`() throws {
        try vault.save("", in: .token)
        #expect(try vault.text(.token) == "")
    }

    @Test func `makes none of the mistakes that a device notices`() async throws {
        try vault.save("one", in: .token)
        try vault.save("two", in: .token)
        _ = try vault.text(.token)
        try vault.save("key", in: .diary)
        _ = try vault.presence(of: .diary)
        _ = try await vault.data(.diary, approval: Approval(reason: "Open the diary"))
        try vault.save("pass", in: WebLogin(server: "example.com", account: "ada"))
        _ = try vault.list(.passwords())
        _ = try vault.list(.webLogins())
        try vault.transaction {
            $0.save("1", in: .pin)
            $0.delete(.token)
        }
        try vault.rotate(.pin, to: "2").confirm()
        try vault.move(.pin, toGroup: sharedGroup)
        _ = try vault.readOrMake(Key(tag: "signer", kind: .p256)).signature(for: Data())
        try vault.delete(Key(tag: "signer", kind: .p256))
        // A refused call is an ordinary answer, such as that there is no item yet.
        let findings = try TestDevice.current.device.findings.filter { $0.rule != "refused-call" }
        #expect(findings.map(\.rule) == [])
    }

    @Test func `keeps logins for different paths and ports apart`() throws {
        let page = WebLogin(server: "example.com", account: "ada")
        let admin = WebLogin(server: "example.com", account: "ada", path: "/admin")
        let other = WebLogin(server: "example.com", account: "ada", port: 8443)
        try vault.save("1", in: page)
        try vault.save("2", in: admin)
        try vault.save("3", in: other)
        #expect(try [page, admin, other].map { try vault.text($0) } == ["1", "2", "3"])
        try vault.delete(admin)
        #expect(try [page, admin, other].map { try vault.text($0) } == ["1", nil, "3"])
    }
}

@Suite(.device(app: .twoGroups)) struct `A vault without an access group` {
    let own = Vault(accessGroup: ownGroup)
    let shared = Vault(accessGroup: sharedGroup)

    @Test func `reads and changes an item that one group has, whichever it is`() throws {
        try shared.save("one", in: .token)
        #expect(try Vault().text(.token) == "one")
        try Vault().save("two", in: .token)
        #expect(try shared.text(.token) == "two")
        #expect(try own.text(.token) == nil)
        try Vault().delete(.token)
        #expect(try shared.text(.token) == nil)
    }

    @Test(arguments: Change.allCases)
    func `changes nothing where two groups have the item`(change: Change) throws {
        try own.save("own", in: .token)
        try shared.save("shared", in: .token)
        let error = try #require(failure { try change.make(.token, in: Vault()) })
        #expect(error.reason == .ambiguous)
        #expect(error.advice.contains("accessGroup"))
        #expect(try own.text(.token) == "own")
        #expect(try shared.text(.token) == "shared")
    }

    /// A call that would have to choose between two groups.
    enum Change: String, CaseIterable, Sendable {
        case read, save, delete, move, transaction

        func make(_ item: Password, in vault: Vault) throws(VaultError) {
            switch self {
            case .read: _ = try vault.text(item)
            case .save: try vault.save("new", in: item)
            case .delete: try vault.delete(item)
            case .move: try vault.move(item, toGroup: ownGroup)
            case .transaction: try vault.transaction { $0.delete(item) }
            }
        }
    }

    @Test func `adds to the group of the program`() throws {
        try Vault().save("one", in: .token)
        #expect(try own.text(.token) == "one")
    }
}

@Suite(.device(app: .twoGroups)) struct `Moving an item to another group` {
    let own = Vault(accessGroup: ownGroup)
    let shared = Vault(accessGroup: sharedGroup)

    @Test func `takes the item away from the old group`() throws {
        try own.save("t0ken", in: .token)
        try own.move(.token, toGroup: sharedGroup)
        #expect(try own.text(.token) == nil)
        #expect(try shared.text(.token) == "t0ken")
    }

    @Test func `changes nothing if the other group has one`() throws {
        try own.save("own", in: .token)
        try shared.save("shared", in: .token)
        let error = try #require(
            failure { try own.move(.token, toGroup: sharedGroup) }
        )
        #expect(error.reason == .duplicate)
        #expect(try own.text(.token) == "own")
        #expect(try shared.text(.token) == "shared")
    }

    @Test func `needs an item and the entitlement`() throws {
        let missing = failure { try own.move(.token, toGroup: sharedGroup) }
        #expect(missing?.reason == .notFound)
        try own.save("t0ken", in: .token)
        let foreign = failure { try own.move(.token, toGroup: "OTHER.group") }
        #expect(foreign?.reason == .notEntitled)
        #expect(try own.text(.token) == "t0ken")
    }
}
