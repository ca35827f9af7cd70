import Foundation
import KeychainMigration
import KeychainServices
import KeychainSimulator
import MigrationTestSupport
import TestSupport
import Testing

@Suite struct `A bridge over a change of team` {
    let phone: Phone
    let place: Place
    let keychain = ServicesKeychain()
    let journal = InMemoryJournal()
    let key: EnvelopeKey

    init() throws {
        phone = try Phone()
        place = try Place()
        key = try EnvelopeKey.generate()
    }

    private var bridge: TeamBridge { TeamBridge(container: PlainFile(place.file("bridge"))) }
    private let toNewTeam: @Sendable (String) -> String? = { group in
        group.replacingOccurrences(of: "TEAMID1234.", with: "NEWTEAM123.")
    }

    /// A shared item, a synchronizable one and an internet password, all a while ago.
    private func fill() throws {
        try keychain.add(.token("a"), "alpha", accessibility: .whenUnlocked, label: "A")
        let shared = ItemAddress.genericPassword(
            service: "com.example.app",
            account: "b",
            accessGroup: "TEAMID1234.com.example.shared"
        )
        try keychain.add(shared, "beta")
        let synced = ItemAddress.genericPassword(
            service: "com.example.app",
            account: "c",
            isSynchronizable: true
        )
        try keychain.add(synced, "gamma", accessibility: .afterFirstUnlock)
        try keychain.add(.internetPassword(server: "example.com", account: "ada"), "delta")
    }

    private func export() throws -> MigrationReport {
        try phone.app.run { try bridge.export(sealedFor: key) }
    }

    private func summary() throws -> [String] {
        try keychain.list(.everything)
            .filter { $0.address.text(.service) != "keychain-migration.bridge" }
            .map { item in
                let value = try keychain.read(item.address)?.value?.text ?? "?"
                let group = item.address.accessGroup?.split(separator: ".", maxSplits: 1).last ?? ""
                let text = item.attributes[.label]?.description ?? ""
                return [
                    item.kind.rawValue, item.address.text(.account) ?? "", String(group),
                    item.accessibility?.rawValue ?? "", "\(item.address.isSynchronizable)", text,
                    "\(item.created?.timeIntervalSinceReferenceDate ?? 0)", value,
                ].joined(separator: " ")
            }
            .sorted()
    }

    @Test(.requirement("MIG-31", "MIG-33"))
    func `carries all items with class, synchronizability, label and dates`() throws {
        try phone.app.run { try fill() }
        phone.device.advance(by: .seconds(86_400))
        let before = try phone.app.run { try summary() }
        #expect(try export().lines.count == 4)
        let app = phone.transferred(to: "NEWTEAM123")
        try app.run { () throws in
            #expect(try keychain.list(.everything).isEmpty)
            let report = try bridge.importItems(
                openedWith: key,
                journal: journal,
                group: toNewTeam
            )
            #expect(report.outcomes == Array(repeating: .moved, count: 4))
            #expect(report.advice.isEmpty)
            #expect(try summary() == before)
            let groups = try keychain.list(.everything).compactMap(\.address.accessGroup)
            #expect(groups.allSatisfy { $0.hasPrefix("NEWTEAM123.") })
        }
        #expect(!place.exists("bridge"))
    }

    @Test(.requirement("MIG-32"))
    func `is the only way: without it nothing is recoverable`() throws {
        try phone.app.run { try keychain.add(.token(), "secret") }
        try phone.transferred(to: "NEWTEAM123").run { () throws in
            #expect(try keychain.read(.token()) == nil)
            #expect(try keychain.list(.everything).isEmpty)
            var result: CFTypeRef?
            let status = SecItemCopyMatching(
                [
                    kSecClass as String: kSecClassGenericPassword,
                    kSecAttrAccount as String: "token",
                    kSecReturnData as String: true,
                ] as CFDictionary,
                &result
            )
            #expect(status == errSecItemNotFound)
            #expect(throws: BridgeFailure.noContainer) {
                try bridge.importItems(openedWith: key, journal: journal, group: toNewTeam)
            }
        }
    }

    @Test(.requirement("MIG-34"))
    func `holds nothing that can be read without its key`() throws {
        try phone.app.run { try keychain.add(.token("ada@example.com"), "open sesame") }
        _ = try export()
        let bytes = try #require(place.bytes("bridge"))
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(!text.contains("sesame") && !text.contains("ada@"))
        #expect(!text.contains(Data("open sesame".utf8).base64EncodedString()))
        let mode = try FileManager.default.attributesOfItem(atPath: place.file("bridge").path)
        #expect(mode[.posixPermissions] as? Int == 0o600)
        let stranger = try EnvelopeKey.generate()
        try phone.transferred(to: "NEWTEAM123").run { () throws in
            #expect(throws: BridgeFailure.self) {
                try bridge.importItems(openedWith: stranger, journal: journal, group: toNewTeam)
            }
            #expect(try keychain.list(.everything).isEmpty)
            // The key goes another way, such as a file in the container that both versions share.
            let carried = EnvelopeKey(privateRepresentation: key.privateRepresentation)
            let report = try bridge.importItems(
                openedWith: carried,
                journal: journal,
                group: toNewTeam
            )
            #expect(report.isComplete)
        }
    }

    @Test func `is crossed once`() throws {
        try phone.app.run { try keychain.add(.token(), "secret") }
        _ = try export()
        let copy = try #require(place.bytes("bridge"))
        try phone.transferred(to: "NEWTEAM123").run { () throws in
            let journal = journal
            _ = try bridge.importItems(openedWith: key, journal: journal, group: toNewTeam)
            try keychain.update(.token(), ItemChange(value: SecretBytes("newer")))
            try place.write(copy, to: "bridge")
            #expect(throws: BridgeFailure.alreadyUsed) {
                try bridge.importItems(openedWith: key, journal: journal, group: toNewTeam)
            }
            #expect(try keychain.text(.token()) == "newer")
        }
        #expect(!place.exists("bridge"))
    }

    @Test(.requirement("MIG-33"))
    func `says what cannot go along and keeps the rest`() throws {
        try phone.app.run { () throws in
            try keychain.add(.token(), "secret")
            for (label, isElement) in [("element", true), ("sealed", false)] {
                var attributes: [String: Any] = [
                    kSecAttrIsPermanent as String: true, kSecAttrLabel as String: label,
                ]
                if !isElement { attributes[kSecAttrIsExtractable as String] = false }
                var parameters: [String: Any] = [
                    kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
                    kSecAttrKeySizeInBits as String: 256,
                    kSecPrivateKeyAttrs as String: attributes,
                ]
                if isElement {
                    parameters[kSecAttrTokenID as String] = kSecAttrTokenIDSecureEnclave
                }
                var error: Unmanaged<CFError>?
                let made = SecKeyCreateRandomKey(parameters as CFDictionary, &error)
                #expect(made != nil, "\(label): \(String(describing: error?.takeRetainedValue()))")
            }
        }
        let report = try export()
        let reasons = report.outcomes.compactMap { outcome -> String? in
            guard case .cannotMove(let reason) = outcome else { return nil }
            return reason
        }
        #expect(
            reasons.sorted() == [
                "its key is in secure hardware", "its key is not extractable",
            ]
        )
        #expect(report.outcomes.filter { $0 == .kept("exported") }.count == 1)
    }

    @Test(.requirement("MIG-33"))
    func `keeps access controls that can be expressed and names gated items`() throws {
        let old = InMemoryKeychain()
        let gated = ItemAccessControl(accessibility: .whenUnlockedThisDeviceOnly, flags: 1)
        try old.add(
            KeychainItem(
                kind: .genericPassword,
                attributes: ItemAddress.token("gated").attributes,
                accessControl: gated,
                value: SecretBytes("face")
            )
        )
        try old.add(.token("plain"), "secret", accessibility: .whenPasscodeSetThisDeviceOnly)
        let file = PlainFile(place.file("bridge"))
        let report = try TeamBridge(container: file, keychain: old).export(sealedFor: key)
        #expect(report.outcomes == [.kept("exported"), .cannotMove("reading them needs the user")])
        let asking = try TeamBridge(container: file, keychain: old)
            .export(sealedFor: key, asksUser: true)
        #expect(asking.outcomes == [.kept("exported"), .kept("exported")])
        let new = InMemoryKeychain(defaultAccessGroup: "NEWTEAM123.com.example.app")
        let arrived = try TeamBridge(container: file, keychain: new)
            .importItems(openedWith: key, journal: journal) { _ in nil }
        #expect(arrived.isComplete)
        let item = try #require(try new.read(.token("plain")))
        #expect(item.accessibility == .whenPasscodeSetThisDeviceOnly)
        #expect(item.address.accessGroup == "NEWTEAM123.com.example.app")
        #expect(try new.read(.token("gated"))?.accessControl == gated)
    }

    @Test(.requirement("MIG-33"))
    func `takes a gated item along if the user opens it`() throws {
        let presence = ItemAccessControl(accessibility: .whenUnlocked, flags: 1)
        try phone.app.run { () throws in
            var item = KeychainItem(at: .token(), value: SecretBytes("secret"))
            item.accessControl = presence
            try keychain.add(item)
            #expect(try export().outcomes == [.cannotMove("reading them needs the user")])
            phone.device.user.cancels = true
            let refused = try bridge.export(sealedFor: key, asksUser: true)
            #expect(refused.outcomes == [.cannotMove("the user did not open them")])
            phone.device.user = .owner
            let report = try bridge.export(sealedFor: key, asksUser: true)
            #expect(report.outcomes == [.kept("exported")])
        }
        try phone.transferred(to: "NEWTEAM123").run { () throws in
            let report = try bridge.importItems(
                openedWith: key,
                journal: journal,
                group: toNewTeam
            )
            #expect(report.isComplete, "\(report)")
            let item = try #require(try keychain.read(.token()))
            #expect(item.accessControl == presence)
            #expect(item.value?.text == "secret")
        }
    }

    @Test(arguments: 0..<8)
    func `survives a kill after any effect of the import`(limit: Int) throws {
        let old = InMemoryKeychain()
        for account in ["a", "b"] { try old.add(.token(account), "secret " + account) }
        let file = PlainFile(place.file("bridge-\(limit)"))
        _ = try TeamBridge(container: file, keychain: old).export(sealedFor: key)
        let new = InMemoryKeychain(defaultAccessGroup: "NEWTEAM123.com.example.app")
        let journal = InMemoryJournal()
        func cross(_ injector: CrashInjector) throws -> MigrationReport {
            let bridge = TeamBridge(container: file, keychain: CrashingKeychain(new, injector))
            let crashing = CrashingJournal(journal, injector)
            return try bridge.importItems(openedWith: key, journal: crashing) { _ in nil }
        }
        _ = try? cross(CrashInjector(limit: limit))
        let second = try cross(CrashInjector())
        #expect(second.isComplete, "killed after effect \(limit)")
        #expect(try new.text(.token("a")) == "secret a")
        #expect(try new.text(.token("b")) == "secret b")
        #expect(!place.exists("bridge-\(limit)"))
    }

    @Test func `stays where an item meets another value`() throws {
        try phone.app.run { try keychain.add(.token(), "secret") }
        _ = try export()
        try phone.transferred(to: "NEWTEAM123").run { () throws in
            try keychain.add(.token(), "signed in anew")
            let report = try bridge.importItems(
                openedWith: key,
                journal: journal,
                group: toNewTeam
            )
            #expect(report.outcomes == [.conflict])
            #expect(try keychain.text(.token()) == "signed in anew")
        }
        #expect(place.exists("bridge"))
    }

    @Test(arguments: ["", "{}", "nonsense", #"{"format":2,"id":"x","sealed":""}"#])
    func `is not taken for one when it is damaged`(text: String) throws {
        try place.write(text, to: "bridge")
        #expect(throws: BridgeFailure.damaged("bridge")) {
            try bridge.importItems(openedWith: key, journal: journal, group: toNewTeam)
        }
        #expect(place.exists("bridge"))
    }

    @Test func `is not crossed when a byte of it was changed`() throws {
        try phone.app.run { try keychain.add(.token(), "secret") }
        _ = try export()
        let text = String(decoding: try #require(place.bytes("bridge")), as: UTF8.self)
        let at = text.index(text.startIndex, offsetBy: text.count / 2)
        let other: Character = text[at] == "A" ? "B" : "A"
        try place.write(text.replacingCharacters(in: at...at, with: String(other)), to: "bridge")
        #expect(throws: BridgeFailure.self) {
            try bridge.importItems(openedWith: key, journal: journal, group: toNewTeam)
        }
    }

    @Test(.requirement("MIG-48"))
    func `writes nothing in a dry run`() throws {
        try phone.app.run { () throws in
            try keychain.add(.token(), "secret")
            let report = try bridge.export(sealedFor: key, isDryRun: true)
            #expect(report.outcomes == [.planned("export")])
            #expect(!place.exists("bridge"))
            _ = try bridge.export(sealedFor: key)
        }
        try phone.transferred(to: "NEWTEAM123").run { () throws in
            let report = try bridge.importItems(
                openedWith: key,
                journal: journal,
                isDryRun: true,
                group: toNewTeam
            )
            #expect(report.outcomes == [.planned("move")])
            #expect(try keychain.list(.everything).isEmpty)
        }
        #expect(place.exists("bridge"))
    }
}

@Suite struct `A change of identity` {
    @Test(.requirement("GRP-16"), arguments: ["NEWTEAM123", "LEGACYPRE1"])
    func `is told until the user has signed in again`(prefix: String) throws {
        let phone = try Phone(groups: [])
        let suite = Suite()
        let marker = IdentityMarker(flags: LaunchFlags(suite.defaults, domain: suite.name))
        let old = "TEAMID1234.com.example.app"
        try phone.app.run { () throws in
            #expect(try marker.check() == .first(old))
            #expect(try marker.check() == .unchanged(old))
        }
        let moved = phone.device.install(
            .init(bundleIdentifier: "com.example.app", teamIdentifier: prefix)
        )
        let new = prefix + ".com.example.app"
        try moved.run { () throws in
            #expect(try marker.check() == .identityChanged(old: old, new: new))
            #expect(try marker.check() == .identityChanged(old: old, new: new))
            try marker.accept()
            #expect(try marker.check() == .unchanged(new))
            #expect(try ServicesKeychain().list(.everything).isEmpty)
        }
    }
}
