import KeychainSimulator
import Security
import TestSupport
import Testing

@Suite struct `An app whose identity changes` {
    let device: SimulatedDevice
    static let original = SimulatedApp.Manifest(
        bundleIdentifier: "com.example.app",
        keychainAccessGroups: ["com.example.shared"]
    )

    init() throws { device = try SimulatedDevice() }

    @Test(.requirement("GRP-15", "GRP-17"), arguments: ["NEWTEAM123", "LEGACYPRE1"])
    func `loses what it stored under the old prefix`(prefix: String) {
        let old = Password(group: "TEAMID1234.com.example.shared")
        var result: CFTypeRef?
        device.install(Self.original).run {
            #expect(old.add() == errSecSuccess)
            let query = old.query.merging([kSecReturnPersistentRef as String: true]) { $1 }
            #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
        }
        let reference = result as? Data
        #expect(reference?.isEmpty == false)
        let moved = SimulatedApp.Manifest(
            bundleIdentifier: "com.example.app",
            teamIdentifier: prefix,
            keychainAccessGroups: ["com.example.shared"]
        )
        device.install(moved).run {
            #expect(Password().read() == .notFound)
            #expect(old.read() == .notEntitled)
            #expect(old.delete() == errSecMissingEntitlement)
            #expect(old.update("taken") == errSecMissingEntitlement)
            #expect(old.add("taken") == errSecMissingEntitlement)
            // Nothing that asks for everything, or by the item's reference, reaches it.
            let everything: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitAll,
                kSecAttrSynchronizable: kSecAttrSynchronizableAny, kSecReturnAttributes: true,
            ]
            #expect(SecItemCopyMatching(everything as CFDictionary, nil) == errSecItemNotFound)
            let named: [CFString: Any] = [kSecValuePersistentRef: reference ?? Data()]
            #expect(SecItemCopyMatching(named as CFDictionary, nil) == errSecItemNotFound)
            #expect(Password().add("new") == errSecSuccess)
            #expect(Password().delete() == errSecSuccess)
        }
        #expect(device.install(Self.original).run { Password().read() } == .value)
    }

    @Test(.requirement("GRP-22")) func `finds its items again when a group comes back`() {
        let password = Password()
        #expect(device.install(Self.original).run { password.add() } == errSecSuccess)
        let without = SimulatedApp.Manifest(bundleIdentifier: "com.example.app")
        #expect(device.install(without).run { password.read() } == .notFound)
        #expect(device.install(Self.original).run { password.read() } == .value)
    }

    @Test(.requirement("GRP-21", "SIM-12"))
    func `leaves its items behind when it is uninstalled`() {
        let own = Password(group: "TEAMID1234.com.example.app")
        let shared = Password(group: "TEAMID1234.com.example.shared")
        let app = device.install(Self.original)
        app.run {
            #expect(own.add() == errSecSuccess)
            #expect(shared.add() == errSecSuccess)
        }
        let sibling = SimulatedApp.Manifest(
            bundleIdentifier: "com.example.sibling",
            keychainAccessGroups: ["com.example.shared"]
        )
        device.uninstall(app)
        #expect(device.install(sibling).run { shared.read() } == .value)
        let again = device.install(Self.original)
        #expect(again.run { own.read() } == .value)
        device.uninstall(again)
        device.erase()
        #expect(device.install(sibling).run { shared.read() } == .notFound)
        #expect(device.install(Self.original).run { own.read() } == .notFound)
    }

    @Test func `cannot be impersonated by an app of another team`() {
        let password = Password(group: "TEAMID1234.com.example.shared")
        #expect(device.install(Self.original).run { password.add() } == errSecSuccess)
        let impostor = SimulatedApp.Manifest(
            bundleIdentifier: "com.impostor.app",
            teamIdentifier: "IMPOSTOR12",
            keychainAccessGroups: ["com.example.shared", "*", ""],
            applicationGroups: ["group.com.example"]
        )
        device.install(impostor).run {
            #expect(password.read() == .notEntitled)
            #expect(Password().read() == .notFound)
        }
    }
}
