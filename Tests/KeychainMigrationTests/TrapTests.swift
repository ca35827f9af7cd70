import Foundation
import KeychainMigration
import KeychainServices
import KeychainSimulator
import TestSupport
import Testing

/// The patterns that lose secrets, as they are often written, beside the toolkit's way.
///
/// - Source: Migration guide, The Five Correctness Traps.
private enum Naive {
    static func query(_ service: String = "com.example.app") -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: "token",
        ]
    }

    static func add(_ text: String, service: String = "com.example.app") -> OSStatus {
        var attributes = query(service)
        attributes[kSecValueData as String] = Data(text.utf8)
        return SecItemAdd(attributes as CFDictionary, nil)
    }

    static func read(_ service: String = "com.example.app") -> String? {
        var query = query(service)
        query[kSecReturnData as String] = true
        var result: CFTypeRef?
        guard SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess else {
            return nil
        }
        return (result as? Data).map { String(decoding: $0, as: UTF8.self) }
    }
}

@Suite struct `The five traps` {
    let phone: Phone
    let keychain = ServicesKeychain()
    let journal = InMemoryJournal()

    init() throws { phone = try Phone() }

    private func chain(_ source: any LegacySource) -> MigrationChain {
        let move = Move("token", from: source, to: .token())
        return MigrationChain(
            service: "com.example.app",
            steps: [MigrationStep(to: 1, "token", [ValueMoves([move])])],
            mover: Mover(journal: journal),
            protectedData: phone.protectedData
        )
    }

    @Test func `1: plain text survives where nobody deletes it`() async throws {
        let naive = phone.app.defaults
        naive.set("secret", forKey: "token")
        phone.app.run {
            let text = naive.string(forKey: "token") ?? ""
            #expect(Naive.add(text) == errSecSuccess)
            // … and that was all.
        }
        #expect(naive.string(forKey: "token") == "secret")

        let source = DefaultsSource(naive, name: "defaults")
        let result = await phone.app.run { await chain(source).run() }
        #expect(result.state == .migrated(from: 0, to: 1))
        #expect(naive.string(forKey: "token") == nil)
        #expect(phone.app.run { Naive.read() } == "secret")
    }

    @Test func `2: a new owner inherits the old one's session`() async throws {
        phone.app.run { #expect(Naive.add("first owner") == errSecSuccess) }
        phone.device.uninstall(phone.app)
        let again = phone.device.install(phone.app.manifest)
        #expect(again.run { Naive.read() } == "first owner")

        let guardian = FirstLaunchGuard(
            flags: LaunchFlags(again.defaults, domain: nil),
            protectedData: phone.protectedData
        )
        _ = await again.run { await guardian.run() }
        #expect(again.run { Naive.read() } == nil)
    }

    @Test func `3: a prewarmed launch finds nothing and writes that down`() async throws {
        let source = MapSource(["token": "secret"], isOpen: phone.isOpen)
        phone.device.reboot()
        var isMigrated = false
        phone.app.run(.background) {
            // Empty means done, and done means never again.
            if (try? source.read("token")) ?? nil == nil { isMigrated = true }
        }
        try phone.unlock()
        phone.app.run {
            guard !isMigrated else { return }
            _ = Naive.add(source["token"] ?? "")
        }
        #expect(phone.app.run { Naive.read() } == nil)

        phone.device.reboot()
        let early = await phone.app.run(.background) { await chain(source).run() }
        #expect(early.state == .deferred(reason: "protected data is unavailable"))
        try phone.unlock()
        let late = await phone.app.run { await chain(source).run() }
        #expect(late.state == .migrated(from: 0, to: 1))
        #expect(phone.app.run { Naive.read() } == "secret")
    }

    @Test func `4: deleting before the write has worked loses the secret`() async throws {
        let naive = MapSource(["token": "secret"])
        phone.device.lock()
        phone.app.run(.background) {
            let text = naive["token"] ?? ""
            naive["token"] = nil
            #expect(Naive.add(text) == errSecInteractionNotAllowed)
        }
        try phone.unlock()
        #expect(naive["token"] == nil)
        #expect(phone.app.run { Naive.read() } == nil)

        let source = MapSource(["token": "secret"])
        let move = Move("token", from: source, to: .token(), accessibility: .whenUnlocked)
        phone.device.lock()
        let early = phone.app.run(.background) { Mover(journal: journal).run([move]) }
        #expect(early.outcomes == [.deferred("the keychain is locked")])
        #expect(source["token"] == "secret")
        try phone.unlock()
        #expect(phone.app.run { Mover(journal: journal).run([move]) }.outcomes == [.moved])
        #expect(phone.app.run { Naive.read() } == "secret")
    }

    @Test func `5: another service name leaves the item behind`() async throws {
        phone.app.run { #expect(Naive.add("secret", service: "Old") == errSecSuccess) }
        #expect(phone.app.run { Naive.read("New") } == nil)
        phone.app.run {
            let change = [kSecAttrService as String: "New"] as CFDictionary
            #expect(SecItemUpdate(Naive.query("Old") as CFDictionary, change) == errSecParam)
        }
        #expect(phone.app.run { Naive.read("New") } == nil)

        let renaming = ItemTransfer.renaming(service: "Old", to: "New")
        let context = MigrationContext(mover: Mover(journal: journal))
        #expect(phone.app.run { renaming.run(in: context) }.outcomes == [.moved])
        #expect(phone.app.run { Naive.read("New") } == "secret")
        #expect(phone.app.run { Naive.read("Old") } == nil)
    }

    @Test func `and one more: deleting what could not be read destroys it`() throws {
        phone.app.run { #expect(Naive.add("secret") == errSecSuccess) }
        phone.device.lock()
        phone.app.run(.background) {
            // Cannot be read, so it must be broken.
            if Naive.read() == nil { SecItemDelete(Naive.query() as CFDictionary) }
        }
        try phone.unlock()
        #expect(phone.app.run { Naive.read() } == nil)

        phone.app.run { #expect(Naive.add("secret", service: "Old") == errSecSuccess) }
        phone.device.lock()
        let renaming = ItemTransfer.renaming(service: "Old", to: "New")
        let context = MigrationContext(mover: Mover(journal: journal), execution: .background)
        let early = phone.app.run(.background) { renaming.run(in: context) }
        #expect(early.deferralReason != nil)
        try phone.unlock()
        #expect(phone.app.run { Naive.read("Old") } == "secret")
    }
}
