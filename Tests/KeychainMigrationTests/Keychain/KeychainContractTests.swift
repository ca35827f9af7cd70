import Foundation
import KeychainMigration
import KeychainServices
import KeychainSimulator
import TestSupport
import Testing

/// ★ What both keychains promise, run on each.
enum AnyKeychain: String, CaseIterable, Sendable {
    case services, inMemory

    func use(_ body: (any Keychain) throws -> Void) throws {
        switch self {
        case .inMemory: try body(InMemoryKeychain())
        case .services:
            let phone = try Phone()
            try phone.app.run { try body(ServicesKeychain()) }
        }
    }
}

@Suite struct `A keychain` {
    @Test(.requirement("MIG-43"), arguments: AnyKeychain.allCases)
    func `gives back what was added`(kind: AnyKeychain) throws {
        try kind.use { keychain in
            #expect(try keychain.read(.token()) == nil)
            try keychain.add(.token(), "secret", accessibility: .whenUnlocked, label: "Token")
            let item = try #require(try keychain.read(.token()))
            #expect(item.value?.text == "secret")
            #expect(item.accessibility == .whenUnlocked)
            #expect(item.attributes[.label] == "Token")
            #expect(item.address.accessGroup == "TEAMID1234.com.example.app")
            #expect(item.accessControl == nil && !item.hasUnknownConstraints)
            #expect(try keychain.read(.token("other")) == nil)
        }
    }

    @Test(.requirement("MIG-43"), arguments: AnyKeychain.allCases)
    func `refuses a second item of one name, and one primary key for another`(
        kind: AnyKeychain
    ) throws {
        try kind.use { keychain in
            try keychain.add(.token(), "secret")
            #expect(throws: KeychainFailure(.add, status: errSecDuplicateItem)) {
                try keychain.add(.token(), "other")
            }
            #expect(throws: KeychainFailure(.update, status: errSecParam)) {
                try keychain.update(.token(), ItemChange(attributes: [.account: "new"]))
            }
            #expect(throws: KeychainFailure(.update, status: errSecItemNotFound)) {
                try keychain.update(.token("none"), ItemChange(value: SecretBytes("x")))
            }
            #expect(try keychain.text(.token()) == "secret")
        }
    }

    @Test(.requirement("MIG-43"), arguments: AnyKeychain.allCases)
    func `changes and deletes in place, and what is absent in peace`(kind: AnyKeychain) throws {
        try kind.use { keychain in
            try keychain.add(.token(), "secret", label: "Token")
            let change = ItemChange(
                attributes: [.comment: "new"],
                accessibility: .whenUnlocked,
                value: SecretBytes("newer")
            )
            try keychain.update(.token(), change)
            let item = try #require(try keychain.read(.token()))
            #expect(item.value?.text == "newer")
            #expect(item.attributes[.label] == "Token" && item.attributes[.comment] == "new")
            #expect(item.accessibility == .whenUnlocked)
            try keychain.delete(.token())
            try keychain.delete(.token())
            #expect(try keychain.read(.token()) == nil)
        }
    }

    @Test(.requirement("MIG-43"), arguments: AnyKeychain.allCases)
    func `tells synchronizable items from local ones and lists both`(kind: AnyKeychain) throws {
        try kind.use { keychain in
            let synced = ItemAddress.genericPassword(
                service: "com.example.app",
                account: "token",
                isSynchronizable: true
            )
            try keychain.add(.token(), "local")
            try keychain.add(synced, "synced", accessibility: .whenUnlocked)
            try keychain.add(.internetPassword(server: "s", account: "a", port: 8080), "web")
            #expect(try keychain.text(.token()) == "local")
            #expect(try keychain.text(synced) == "synced")
            #expect(try keychain.list(.everything).count == 3)
            let scope = ItemScope(kinds: [.genericPassword], services: ["com.example.app"])
            let listed = try keychain.list(scope)
            #expect(listed.map(\.address.isSynchronizable) == [false, true])
            #expect(listed.allSatisfy { $0.value == nil })
            for item in listed { try keychain.delete(item) }
            #expect(try keychain.list(.everything).map(\.kind) == [.internetPassword])
            try keychain.deleteAll(ItemScope(kinds: ItemKind.allCases))
            #expect(try keychain.list(.everything).isEmpty)
        }
    }

    @Test(.requirement("MIG-43"), arguments: KeychainFailure.Operation.allCases.prefix(5))
    func `in memory fails on demand and counts its calls`(
        operation: KeychainFailure.Operation
    ) throws {
        let keychain = InMemoryKeychain()
        try keychain.add(.token(), "secret")
        keychain.removeCalls()
        keychain.fail(operation, with: -25308)
        let calls: [() throws -> Void] = [
            { _ = try keychain.read(.token()) }, { _ = try keychain.list(.everything) },
            { try keychain.add(.token("b"), "x") },
            { try keychain.update(.token(), ItemChange(value: SecretBytes("y"))) },
            { try keychain.delete(.token("c")) },
        ]
        let failures = calls.compactMap { call -> KeychainFailure? in
            do {
                try call()
                return nil
            } catch { return error as? KeychainFailure }
        }
        #expect(failures == [KeychainFailure(operation, status: -25308)])
        #expect(failures.first?.isLocked == true)
        #expect(keychain.calls == [.read, .list, .add, .update, .delete])
    }

    @Test(.requirement("MIG-43"))
    func `in memory passes the guide's own test`() throws {
        let keychain = InMemoryKeychain()
        keychain.fail(.add, with: -25308)
        let suite = Suite()
        suite.defaults.set("secret-token", forKey: "authToken")
        let source = DefaultsSource(suite.defaults, name: "test")
        let report = Mover(keychain: keychain, journal: InMemoryJournal())
            .run([Move("authToken", from: source, to: .token("authToken"))])
        #expect(report.lines.contains { !$0.outcome.isSettled })
        #expect(suite.defaults.string(forKey: "authToken") == "secret-token")
    }

    @Test func `says in a failure what was refused, with name and number`() {
        let text = KeychainFailure(.add, status: errSecInteractionNotAllowed).description
        #expect(text.hasPrefix("add: ") && text.hasSuffix("(-25308)"))
    }
}

@Suite struct `An address` {
    @Test func `has a text of its own for each item`() {
        let addresses: [ItemAddress] = [
            .token(), .token("b"), .token(service: "b"),
            .genericPassword(service: "com.example.app", account: "token", accessGroup: "g"),
            .genericPassword(service: "com.example.app", account: "token", isSynchronizable: true),
            .internetPassword(server: "com.example.app", account: "token"),
            .internetPassword(server: "com.example.app", account: "token", port: 1),
            ItemAddress(kind: .key, attributes: [.generic: .data(Data([1]))]),
            ItemAddress(kind: .key, attributes: [.generic: .data(Data([2]))]),
        ]
        #expect(Set(addresses.map(\.identifier)).count == addresses.count)
        #expect(addresses[4].description == "genp(com.example.app, token, synchronizable)")
    }

    @Test(arguments: [
        (ItemScope.everything, true), (ItemScope(kinds: [.internetPassword]), false),
        (ItemScope(services: ["com.example.app"]), true), (ItemScope(services: ["x"]), false),
        (ItemScope(accessGroups: ["g"]), false), (ItemScope(services: []), false),
    ])
    func `lies in a scope or does not`(scope: ItemScope, isInside: Bool) {
        #expect(scope.contains(.token()) == isInside)
    }
}

@Suite struct `A sealed envelope` {
    @Test func `opens with its key alone, unchanged`() throws {
        let key = try EnvelopeKey.generate()
        #expect(key.privateRepresentation.byteCount == 97)
        let sealed = try key.seal(SecretBytes("open sesame"))
        #expect(try key.open(sealed).text == "open sesame")
        #expect(try key.seal(SecretBytes("open sesame")) != sealed)
        let other = try EnvelopeKey.generate()
        #expect(throws: KeychainFailure.self) { try other.open(sealed) }
        let opening = stride(from: 0, to: sealed.count, by: 7).filter { index in
            var changed = sealed
            changed[index] ^= 1
            return !(failure { try key.open(changed) } is KeychainFailure)
        }
        #expect(opening == [])
        #expect(throws: KeychainFailure.self) { try key.open(Data()) }
        let bad = EnvelopeKey(privateRepresentation: SecretBytes("no key"))
        #expect(throws: KeychainFailure.self) { try bad.seal(SecretBytes("x")) }
    }
}
