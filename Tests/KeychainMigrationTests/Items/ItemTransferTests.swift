import Foundation
import KeychainMigration
import KeychainServices
import MigrationTestSupport
import TestSupport
import Testing

@Suite struct `An item that gets another name` {
    let keychain = InMemoryKeychain()
    let journal = InMemoryJournal()

    private func context(_ keychain: (any Keychain)? = nil) -> MigrationContext {
        MigrationContext(mover: Mover(keychain: keychain ?? self.keychain, journal: journal))
    }

    @Test(.requirement("MIG-20"))
    func `is read, saved, verified and then deleted, and passed over the next time`() throws {
        try keychain.add(.token("a", service: "Old"), "alpha", label: "A")
        try keychain.add(.token("b", service: "Old"), "beta", accessibility: .whenUnlocked)
        let renaming = ItemTransfer.renaming(service: "Old", to: "com.example.app")
        keychain.removeCalls()
        #expect(renaming.run(in: context()).outcomes == [.moved, .moved])
        let each: [KeychainFailure.Operation] = [.read, .read, .add, .read, .read, .delete]
        #expect(keychain.calls == [.list, .list] + each + each)
        let item = try #require(try keychain.read(.token("a")))
        #expect(item.attributes[.label] == "A")
        #expect(try keychain.read(.token("b"))?.accessibility == .whenUnlocked)
        #expect(try keychain.list(ItemScope(services: ["Old"])).isEmpty)
        keychain.removeCalls()
        #expect(renaming.run(in: context()).lines.isEmpty)
        #expect(keychain.calls == [.list, .list])
    }

    @Test(.requirement("MIG-20"), arguments: 0..<10)
    func `survives a kill after any effect`(limit: Int) throws {
        func filled() throws -> InMemoryKeychain {
            let keychain = InMemoryKeychain()
            try keychain.add(.token("a", service: "Old"), "alpha")
            try keychain.add(.token("b", service: "Old"), "beta")
            return keychain
        }
        @Sendable func isWhole(_ keychain: InMemoryKeychain) -> Bool {
            [("a", "alpha"), ("b", "beta")].allSatisfy { account, value in
                keychain.items.contains {
                    $0.address.text(.account) == account && $0.value?.text == value
                }
            }
        }
        let renaming = ItemTransfer.renaming(service: "Old", to: "New")
        let whole = CrashInjector()
        let first = try filled()
        _ = renaming.run(in: context(CrashingKeychain(first, whole)))
        #expect(whole.count == 4)
        let keychain = try filled()
        let journal = InMemoryJournal()
        func run(_ injector: CrashInjector) -> MigrationReport {
            let mover = Mover(
                keychain: CrashingKeychain(keychain, injector),
                journal: CrashingJournal(journal, injector)
            )
            return renaming.run(in: MigrationContext(mover: mover))
        }
        let cut = run(CrashInjector(limit: limit) { #expect(isWhole(keychain)) })
        #expect(!cut.isComplete)
        #expect(isWhole(keychain))
        #expect(run(CrashInjector()).isComplete)
        #expect(keychain.items.map { $0.address.text(.service) } == ["New", "New"])
        #expect(isWhole(keychain))
    }

    @Test(.requirement("MIG-21"))
    func `is not updated in its primary key, which the keychain refuses`() throws {
        let phone = try Phone()
        try phone.app.run { () throws in
            let keychain = ServicesKeychain()
            try keychain.add(.token(service: "Old"), "secret")
            let change = ItemChange(attributes: [.service: "New"])
            #expect(throws: KeychainFailure(.update, status: errSecParam)) {
                try keychain.update(.token(service: "Old"), change)
            }
            #expect(try keychain.text(.token(service: "Old")) == "secret")
            let context = MigrationContext(mover: Mover(journal: journal))
            let report = ItemTransfer.renaming(service: "Old", to: "New").run(in: context)
            #expect(report.outcomes == [.moved])
            #expect(try keychain.text(.token(service: "New")) == "secret")
        }
        try keychain.add(.token(service: "Old"), "secret")
        keychain.removeCalls()
        _ = ItemTransfer.renaming(service: "Old", to: "New").run(in: context())
        #expect(!keychain.calls.contains(.update))
    }

    @Test(.requirement("MIG-49"))
    func `is no orphan any more`() throws {
        let phone = try Phone()
        try phone.app.run { () throws in
            try ServicesKeychain().add(.token(service: "Old"), "secret")
            try ServicesKeychain().add(.token("kept"), "secret")
            let orphans = Orphans(outside: [ItemScope(services: ["com.example.app"])])
            let found = try orphans.list()
            #expect(found.map { $0.text(.service) } == ["Old"])
            let context = MigrationContext(mover: Mover(journal: journal))
            let transfer = ItemTransfer.renaming(service: "Old", to: "com.example.app")
            #expect(transfer.run(in: context).isComplete)
            #expect(try orphans.list().isEmpty)
        }
    }

    @Test(.requirement("MIG-48"))
    func `is only planned in a dry run`() throws {
        try keychain.add(.token("a", service: "Old"), "alpha")
        let context = MigrationContext(
            mover: Mover(keychain: keychain, journal: journal),
            isDryRun: true
        )
        let report = ItemTransfer.renaming(service: "Old", to: "New").run(in: context)
        #expect(report.outcomes == [.planned("move")])
        #expect(keychain.items.map { $0.address.text(.service) } == ["Old"])
        #expect(journal.history.isEmpty)
    }
}

@Suite struct `An item with constraints that gets another name` {
    let phone: Phone
    let keychain = ServicesKeychain()
    init() throws { phone = try Phone() }

    private func addGated() throws {
        var item = KeychainItem(at: .token(service: "Old"), value: SecretBytes("secret"))
        item.accessControl = ItemAccessControl(accessibility: .whenUnlocked, flags: 1)
        try keychain.add(item)
    }

    @Test func `is not passed over in silence while nobody is asked`() throws {
        try phone.app.run { () throws in
            try addGated()
            // A prompt would be cancelled, and that would show.
            phone.device.user.cancels = true
            let transfer = ItemTransfer.renaming(service: "Old", to: "New")
            let context = MigrationContext(mover: Mover(journal: InMemoryJournal()))
            let report = transfer.run(in: context)
            #expect(report.outcomes == [.cannotMove("the user was not prompted")])
            #expect(!report.isComplete)
            #expect(try keychain.exists(.token(service: "Old")))
            #expect(try !keychain.exists(.token(service: "New")))
        }
    }

    @Test func `goes along with its constraints if the user may be asked`() throws {
        try phone.app.run { () throws in
            try addGated()
            var transfer = ItemTransfer.renaming(service: "Old", to: "New")
            transfer.gated = .ask
            let context = MigrationContext(mover: Mover(journal: InMemoryJournal()))
            #expect(transfer.run(in: context).outcomes == [.moved])
            let item = try #require(try keychain.read(.token(service: "New")))
            #expect(item.value?.text == "secret")
            #expect(item.accessControl?.flags == 1)
            #expect(try !keychain.exists(.token(service: "Old")))
        }
    }
}

@Suite struct `A generic password that becomes an internet password` {
    let phone: Phone
    let keychain = ServicesKeychain()
    let journal = InMemoryJournal()
    let reclassing = ItemTransfer.reclassing(
        service: "web",
        server: "example.com",
        protocolName: "htps",
        port: 443,
        path: "/login"
    )

    init() throws { phone = try Phone() }

    private var context: MigrationContext { MigrationContext(mover: Mover(journal: journal)) }

    private func addOld() throws {
        var item = KeychainItem(
            at: .genericPassword(
                service: "web",
                account: "ada",
                accessGroup: "TEAMID1234.com.example.shared"
            ),
            accessibility: .whenUnlockedThisDeviceOnly,
            value: SecretBytes("open sesame")
        )
        item.attributes[.label] = "Example"
        item.attributes[.comment] = "from 2019"
        item.attributes[.description] = "web password"
        item.attributes[.generic] = .data(Data([1]))
        try keychain.add(item)
    }

    @Test(.requirement("MIG-35"))
    func `is found by server, protocol and account, and the old one is gone`() throws {
        try phone.app.run { () throws in
            try addOld()
            try keychain.add(.token("bob", service: "web"), "second")
            #expect(reclassing.run(in: context).outcomes == [.moved, .moved])
            var result: CFTypeRef?
            let status = SecItemCopyMatching(
                [
                    kSecClass as String: kSecClassInternetPassword,
                    kSecAttrServer as String: "example.com",
                    kSecAttrProtocol as String: kSecAttrProtocolHTTPS,
                    kSecAttrPort as String: 443,
                    kSecAttrAccount as String: "ada",
                    kSecReturnData as String: true,
                ] as CFDictionary,
                &result
            )
            #expect(status == errSecSuccess)
            #expect(result as? Data == Data("open sesame".utf8))
            #expect(try keychain.list(ItemScope(kinds: [.genericPassword])).isEmpty)
        }
    }

    @Test(.requirement("MIG-36"))
    func `keeps its class, group, label and all that both classes have`() throws {
        try phone.app.run { () throws in
            try addOld()
            let before = try #require(
                try keychain.list(ItemScope(kinds: [.genericPassword])).first
            )
            #expect(reclassing.run(in: context).outcomes == [.moved])
            let scope = ItemScope(kinds: [.internetPassword])
            let item = try #require(try keychain.list(scope).first)
            #expect(item.accessibility == .whenUnlockedThisDeviceOnly)
            #expect(item.address.accessGroup == "TEAMID1234.com.example.shared")
            #expect(item.attributes[.label] == "Example")
            #expect(item.attributes[.comment] == "from 2019")
            #expect(item.attributes[.description] == "web password")
            #expect(item.created == before.created)
        }
    }

    @Test(.requirement("MIG-36"))
    func `stays where another internet password has its name`() throws {
        try phone.app.run { () throws in
            try addOld()
            let taken = ItemAddress.internetPassword(
                server: "example.com",
                account: "ada",
                protocolName: "htps",
                port: 443,
                path: "/login",
                accessGroup: "TEAMID1234.com.example.shared"
            )
            try keychain.add(taken, "another password")
            let report = reclassing.run(in: context)
            #expect(report.outcomes == [.conflict])
            #expect(!report.isComplete)
            #expect(try keychain.text(taken) == "another password")
            #expect(try keychain.text(.token("ada", service: "web")) == "open sesame")
        }
    }

    @Test(.requirement("MIG-36"))
    func `stays if the new one reads back differently`() throws {
        let keychain = InMemoryKeychain()
        try keychain.add(.token("ada", service: "web"), "open sesame")
        let injector = CrashInjector(limit: 1) {
            keychain.corruptReads { SecretBytes($0.text + "?") }
        }
        let mover = Mover(keychain: CrashingKeychain(keychain, injector), journal: journal)
        _ = reclassing.run(in: MigrationContext(mover: mover))
        keychain.corruptReads(nil)
        #expect(try keychain.text(.token("ada", service: "web")) == "open sesame")
    }
}

@Suite struct `An item that changes its access group` {
    let old = "TEAMID1234.com.example.app"
    let new = "TEAMID1234.com.example.shared"

    private func address(_ group: String) -> ItemAddress {
        .genericPassword(service: "com.example.app", account: "token", accessGroup: group)
    }

    @Test(.requirement("MIG-47", "GRP-20"), arguments: 0...5)
    func `is read, added, verified and deleted, whatever kills it between`(limit: Int) throws {
        let transfer = ItemTransfer.moving(fromGroup: old, toGroup: new)
        let phone = try Phone()
        let journal = InMemoryJournal()
        try phone.app.run { () throws in
            let keychain = ServicesKeychain()
            try keychain.add(address(old), "secret", label: "L")
            @Sendable func places() -> [String] {
                [old, new].filter { (try? keychain.text(address($0))) == "secret" }
            }
            func run(_ injector: CrashInjector) -> MigrationReport {
                let mover = Mover(
                    keychain: CrashingKeychain(keychain, injector),
                    journal: CrashingJournal(journal, injector)
                )
                return transfer.run(in: MigrationContext(mover: mover))
            }
            let injector = CrashInjector(limit: limit) { #expect(!places().isEmpty) }
            let first = run(injector)
            #expect(first.isComplete == (limit == 5))
            #expect(!places().isEmpty)
            #expect(run(CrashInjector()).isComplete)
            #expect(places() == [new], "killed after effect \(limit)")
            #expect(try keychain.read(address(new))?.attributes[.label] == "L")
        }
    }

    @Test func `stays where the program has no right to the new group`() throws {
        let phone = try Phone()
        try phone.app.run { () throws in
            let keychain = ServicesKeychain()
            try keychain.add(address(old), "secret")
            let transfer = ItemTransfer.moving(fromGroup: old, toGroup: "OTHER.group")
            let mover = Mover(journal: InMemoryJournal())
            let report = transfer.run(in: MigrationContext(mover: mover))
            let refusal = KeychainFailure(.read, status: errSecMissingEntitlement)
            #expect(report.outcomes == [.failed(.keychain(refusal))])
            #expect(try keychain.text(address(old)) == "secret")
        }
    }
}

@Suite struct `An item of the file-based keychain` {
    @Test(.requirement("MIG-46"))
    func `goes over on demand, verified and then removed, and never back`() throws {
        let fileBased = InMemoryKeychain(defaultAccessGroup: "")
        try fileBased.add(.token("a"), "alpha", accessibility: nil, label: "A")
        try fileBased.add(.token("b"), "beta", accessibility: nil)
        let modern = InMemoryKeychain()
        let mover = Mover(keychain: modern, journal: InMemoryJournal())
        let context = MigrationContext(mover: mover)
        let leaving = ItemTransfer.leaving(fileBased, scope: ItemScope(kinds: [.genericPassword]))
        modern.corruptReads { SecretBytes($0.text + "?") }
        #expect(Set(leaving.run(in: context).outcomes) == [.failed(.verificationMismatch)])
        #expect(fileBased.items.count == 2)
        modern.corruptReads(nil)
        #expect(leaving.run(in: context).outcomes == [.moved, .moved])
        #expect(fileBased.items.isEmpty)
        let item = try #require(try modern.read(.token("a")))
        #expect(item.value?.text == "alpha")
        #expect(item.accessibility == .standard)
        #expect(item.attributes[.label] == "A")
        fileBased.removeCalls()
        #expect(leaving.run(in: context).lines.isEmpty)
        #expect(fileBased.calls == [.list, .list])
    }
}
