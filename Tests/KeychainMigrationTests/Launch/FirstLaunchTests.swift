import Foundation
import KeychainMigration
import KeychainServices
import KeychainSimulator
import TestSupport
import Testing

@Suite struct `A first launch` {
    let phone: Phone
    let suite = Suite()
    let keychain = ServicesKeychain()

    init() throws { phone = try Phone() }

    private func guardian(
        scope: ItemScope? = nil,
        preserve: (@Sendable (KeychainItem) -> Bool)? = nil
    ) -> FirstLaunchGuard {
        FirstLaunchGuard(
            flags: LaunchFlags(suite.defaults, domain: suite.name),
            protectedData: phone.protectedData,
            scope: scope,
            preserve: preserve
        )
    }

    /// One item of each class, two of them also synchronizable.
    private func leaveItems() throws {
        try keychain.add(.token(), "stale")
        let synced = ItemAddress.genericPassword(
            service: "com.example.app",
            account: "token",
            isSynchronizable: true
        )
        try keychain.add(synced, "synced", accessibility: .whenUnlocked)
        try keychain.add(.internetPassword(server: "example.com", account: "ada"), "web")
        let key = try #require(
            SecKeyCreateRandomKey(
                [
                    kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
                    kSecAttrKeySizeInBits as String: 256,
                    kSecPrivateKeyAttrs as String: [kSecAttrIsPermanent as String: true],
                ] as CFDictionary,
                nil
            )
        )
        #expect(SecKeyIsAlgorithmSupported(key, .sign, .ecdsaSignatureMessageX962SHA256))
        let certificate = try #require(
            SecCertificateCreateWithData(nil, ExampleCertificate.der as CFData)
        )
        let status = SecItemAdd(
            [
                kSecClass as String: kSecClassCertificate,
                kSecValueRef as String: certificate,
            ] as CFDictionary,
            nil
        )
        #expect(status == errSecSuccess)
    }

    @Test(.requirement("MIG-22"))
    func `wipes all five classes, synced items included, and only once`() async throws {
        try phone.app.run {
            try leaveItems()
            #expect(try keychain.list(.everything).count == 5)
        }
        let outcome = await phone.app.run { await guardian().run() }
        guard case .cleaned(let report) = outcome else {
            Issue.record("nothing was cleaned")
            return
        }
        #expect(report.outcomes == Array(repeating: .removed, count: 5))
        try phone.app.run {
            #expect(try keychain.list(.everything).isEmpty)
            try keychain.add(.token(), "fresh")
        }
        #expect(await phone.app.run { await guardian().run() } == .launchedBefore)
        try phone.app.run { () throws in #expect(try keychain.text(.token()) == "fresh") }
    }

    @Test func `is told by a flag that goes with the app`() async throws {
        func guardian(_ app: SimulatedApp) -> FirstLaunchGuard {
            FirstLaunchGuard(
                flags: LaunchFlags(app.defaults, domain: nil),
                protectedData: phone.protectedData
            )
        }
        let first = guardian(phone.app)
        #expect(await phone.app.run { await first.run() } == .cleaned(MigrationReport()))
        try phone.app.run { try keychain.add(.token(), "first owner") }
        #expect(await phone.app.run { await first.run() } == .launchedBefore)
        phone.device.uninstall(phone.app)
        let again = phone.device.install(phone.app.manifest)
        try again.run { () throws in #expect(try keychain.text(.token()) == "first owner") }
        let second = guardian(again)
        let outcome = await again.run { await second.run() }
        guard case .cleaned = outcome else {
            Issue.record("a reinstallation was not recognized")
            return
        }
        try again.run { () throws in #expect(try keychain.text(.token()) == nil) }
    }

    @Test(.requirement("MIG-25"))
    func `is told from an update that introduces the guard`() async throws {
        suite.defaults.set("dark", forKey: "theme")
        _ = suite.defaults.synchronize()
        try phone.app.run { try keychain.add(.token(), "valid") }
        #expect(await phone.app.run { await guardian().run() } == .upgraded)
        #expect(await phone.app.run { await guardian().run() } == .launchedBefore)
        try phone.app.run { () throws in #expect(try keychain.text(.token()) == "valid") }
    }

    @Test(.requirement("MIG-25"), arguments: [true, false])
    func `takes the app's own word for an update`(isUpgrade: Bool) async throws {
        let guardian = FirstLaunchGuard(
            flags: LaunchFlags(suite.defaults, domain: suite.name),
            protectedData: phone.protectedData,
            isUpgrade: { isUpgrade }
        )
        try phone.app.run { try keychain.add(.token(), "valid") }
        _ = await phone.app.run { await guardian.run() }
        try phone.app.run { () throws in
            #expect(try keychain.text(.token()) == (isUpgrade ? "valid" : nil))
        }
    }

    @Test(.requirement("MIG-26"))
    func `can be limited to services and groups`() async throws {
        let shared = ItemAddress.genericPassword(
            service: "com.example.app",
            account: "shared",
            accessGroup: "TEAMID1234.com.example.shared"
        )
        try phone.app.run {
            try keychain.add(.token(), "stale")
            try keychain.add(.token(service: "com.example.other"), "other")
            try keychain.add(shared, "shared with another app")
        }
        let scope = ItemScope(
            kinds: [.genericPassword],
            services: ["com.example.app"],
            accessGroups: ["TEAMID1234.com.example.app"]
        )
        _ = await phone.app.run { await guardian(scope: scope).run() }
        try phone.app.run { () throws in
            #expect(try keychain.text(.token()) == nil)
            #expect(try keychain.text(.token(service: "com.example.other")) == "other")
            #expect(try keychain.text(shared) == "shared with another app")
        }
    }

    @Test(.contradiction("first-launch-wipe")) func `keeps what the preserve rule names`()
        async throws
    {
        try phone.app.run { try leaveItems() }
        let guardian = guardian(preserve: { $0.kind == .internetPassword })
        let outcome = await phone.app.run { await guardian.run() }
        guard case .cleaned(let report) = outcome else {
            Issue.record("nothing was cleaned")
            return
        }
        #expect(report.outcomes.filter { $0 == .removed }.count == 4)
        try phone.app.run { () throws in
            #expect(try keychain.list(.everything).map(\.kind) == [.internetPassword])
        }
    }

    @Test func `removes items with constraints too, and asks nobody`() async throws {
        try phone.app.run {
            var item = KeychainItem(at: .token("gated"), value: SecretBytes("secret"))
            item.accessControl = ItemAccessControl(accessibility: .whenUnlocked, flags: 1)
            try keychain.add(item)
        }
        phone.device.user.cancels = true
        let guardian = guardian(scope: ItemScope(services: ["com.example.app"]))
        let outcome = await phone.app.run { await guardian.run() }
        guard case .cleaned(let report) = outcome else {
            Issue.record("nothing was cleaned")
            return
        }
        #expect(report.lines.map(\.what) == ["items that need the user"])
        try phone.app.run { () throws in #expect(try !keychain.exists(.token("gated"))) }
    }

    @Test(.requirement("MIG-48"))
    func `lists in a dry run what it would remove`() async throws {
        try phone.app.run { try leaveItems() }
        let outcome = await phone.app.run { await guardian().run(isDryRun: true) }
        guard case .cleaned(let report) = outcome else {
            Issue.record("nothing was planned")
            return
        }
        #expect(report.isDryRun)
        #expect(report.outcomes == Array(repeating: .planned("remove"), count: 5))
        try phone.app.run { () throws in #expect(try keychain.list(.everything).count == 5) }
        #expect(!suite.defaults.bool(forKey: "keychain-migration.has-launched"))
    }

    @Test func `leaves no flag behind when the keychain refuses`() async throws {
        let keychain = InMemoryKeychain()
        try keychain.add(.token(), "stale")
        keychain.fail(.delete, with: -25291)
        let guardian = FirstLaunchGuard(
            flags: LaunchFlags(suite.defaults, domain: suite.name),
            keychain: keychain,
            protectedData: AlwaysAvailable()
        )
        #expect(await guardian.run() == .failed(KeychainFailure(.delete, status: -25291)))
        keychain.fail(.delete, with: nil)
        guard case .cleaned = await guardian.run() else {
            Issue.record("the second launch did not try again")
            return
        }
        #expect(keychain.items.isEmpty)
    }
}
