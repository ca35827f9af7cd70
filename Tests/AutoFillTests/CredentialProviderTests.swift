import AuthenticationServices
import Foundation
import KeychainServices
import KeychainSimulator
import TestSupport
import Testing

/// A password manager as an app would write it: its accounts are internet passwords.
@MainActor private final class Vault: ASCredentialProviderViewController {
    private(set) var interfaces = 0

    private func password(for identity: ASPasswordCredentialIdentity) -> (OSStatus, String?) {
        let query: [String: Any] = [
            kSecClass as String: kSecClassInternetPassword,
            kSecAttrServer as String: identity.serviceIdentifier.identifier,
            kSecAttrAccount as String: identity.user,
            kSecReturnData as String: true,
        ]
        var found: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &found)
        return (status, (found as? Data).map { String(decoding: $0, as: UTF8.self) })
    }

    override func provideCredentialWithoutUserInteraction(
        for credentialIdentity: ASPasswordCredentialIdentity
    ) {
        switch password(for: credentialIdentity) {
        case (_, let password?):
            extensionContext.completeRequest(
                withSelectedCredential: ASPasswordCredential(
                    user: credentialIdentity.user,
                    password: password
                )
            )
        case (errSecInteractionNotAllowed, _):
            // As the template of Xcode has it.
            extensionContext.cancelRequest(
                withError: NSError(
                    domain: ASExtensionErrorDomain,
                    code: ASExtensionError.userInteractionRequired.rawValue
                )
            )
        default:
            extensionContext.cancelRequest(
                withError: ASExtensionError(.credentialIdentityNotFound)
            )
        }
    }

    override func prepareInterfaceToProvideCredential(
        for credentialIdentity: ASPasswordCredentialIdentity
    ) {
        interfaces += 1
        provideCredentialWithoutUserInteraction(for: credentialIdentity)
    }
}

/// The identities of every internet password that the app can see.
private func identities() throws -> [ASPasswordCredentialIdentity] {
    let query: [String: Any] = [
        kSecClass as String: kSecClassInternetPassword,
        kSecMatchLimit as String: kSecMatchLimitAll,
        kSecReturnAttributes as String: true,
    ]
    var found: CFTypeRef?
    guard SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess else { return [] }
    let items = try #require(found as? [[String: Any]])
    return try items.map { item in
        ASPasswordCredentialIdentity(
            serviceIdentifier: ASCredentialServiceIdentifier(
                identifier: try #require(item[kSecAttrServer as String] as? String),
                type: .domain
            ),
            user: try #require(item[kSecAttrAccount as String] as? String),
            recordIdentifier: nil
        )
    }
}

private func add(_ itemClass: CFString, _ attributes: [String: Any]) {
    let item = attributes.merging(
        [
            kSecClass as String: itemClass, kSecValueData as String: Data("hunter2".utf8),
            kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlocked,
        ],
        uniquingKeysWith: { first, _ in first }
    )
    #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
}

/// A device with a provider that has two internet passwords and a generic one.
private struct Scene {
    let phone: SimulatedDevice
    let vault: SimulatedApp

    init() throws {
        phone = try SimulatedDevice()
        vault = phone.install(.init(bundleIdentifier: "com.example.vault"))
        vault.run {
            add(
                kSecClassInternetPassword,
                [kSecAttrServer as String: "example.com", kSecAttrAccount as String: "ada"]
            )
            add(
                kSecClassInternetPassword,
                [kSecAttrServer as String: "example.org", kSecAttrAccount as String: "grace"]
            )
            add(
                kSecClassGenericPassword,
                [kSecAttrService as String: "example.net", kSecAttrAccount as String: "alan"]
            )
        }
    }
}

@Suite struct `A credential provider` {
    private static let ada = ASPasswordCredentialIdentity(
        serviceIdentifier: ASCredentialServiceIdentifier(identifier: "example.com", type: .domain),
        user: "ada",
        recordIdentifier: nil
    )

    @Test(.requirement("AFL-06"))
    @MainActor func `lists its internet passwords, and provides one without interaction`()
        async throws
    {
        let scene = try Scene()
        scene.phone.setCredentialProvider(scene.vault)
        try await scene.vault.run(.background) {
            let store = ASCredentialIdentityStore.shared
            try await store.replaceCredentialIdentities(with: try identities())
            let known = await store.credentialIdentities(forService: nil)
            #expect(known.map(\.user) == ["ada", "grace"])
            #expect(known.map(\.serviceIdentifier.identifier) == ["example.com", "example.org"])
            let credential = try await Vault().systemFill(Self.ada, allowingInterface: false)
            #expect(credential.user == "ada")
            #expect(credential.password == "hunter2")
        }
        let users = { (url: String) in try scene.phone.providerUsers(of: scene.vault, for: url) }
        #expect(try users("https://www.example.com/login") == ["ada"])
        #expect(try users("https://example.net/") == [])
        #expect(try users("http://example.com/") == [])
        #expect(throws: AutoFillReason.self) { try users("file:///") }
    }

    @Test(.requirement("AFL-06"))
    @MainActor func `needs interaction while the device is locked`() async throws {
        let scene = try Scene()
        scene.phone.lock()
        let provider = Vault()
        let error = await #expect(throws: ASExtensionError.self) {
            try await scene.vault.run(.background) {
                try await provider.systemFill(Self.ada, allowingInterface: false)
            }
        }
        #expect(error?.code == .userInteractionRequired)
        #expect(provider.interfaces == 0)
        try scene.phone.unlock(passcode: "0000")
        let credential = try await scene.vault.run(.foreground) {
            try await provider.systemFill(Self.ada, allowingInterface: true)
        }
        #expect(credential.password == "hunter2")
    }

    @Test @MainActor func `is called again with an interface if it needs one`() async throws {
        let scene = try Scene()
        scene.phone.lock()
        let provider = Vault()
        let error = await #expect(throws: ASExtensionError.self) {
            try await scene.vault.run {
                try await provider.systemFill(Self.ada, allowingInterface: true)
            }
        }
        #expect(provider.interfaces == 1)
        #expect(error?.code == .userInteractionRequired)
    }

    @Test @MainActor func `says that it does not know an identity`() async throws {
        let scene = try Scene()
        let stranger = ASPasswordCredentialIdentity(
            serviceIdentifier: Self.ada.serviceIdentifier,
            user: "eve",
            recordIdentifier: nil
        )
        let error = await #expect(throws: ASExtensionError.self) {
            try await scene.vault.run {
                try await Vault().systemFill(stranger, allowingInterface: true)
            }
        }
        #expect(error?.code == .credentialIdentityNotFound)
        #expect(error?.errorCode == 101)
    }

    @Test func `saves, ranks and removes identities`() async throws {
        let scene = try Scene()
        scene.phone.setCredentialProvider(scene.vault)
        try await scene.vault.run {
            let store = ASCredentialIdentityStore.shared
            #expect(await store.state().supportsIncrementalUpdates)
            let all = try identities()
            try await store.saveCredentialIdentities(all)
            all[0].rank = 7
            try await store.saveCredentialIdentities(all)
            let service = Self.ada.serviceIdentifier
            let known = await store.credentialIdentities(forService: service)
            #expect(known.map(\.user) == ["ada"])
            try await store.removeCredentialIdentities([Self.ada])
            #expect(await store.credentialIdentities(forService: nil).map(\.user) == ["grace"])
            try await store.removeAllCredentialIdentities()
            #expect(await store.credentialIdentities(forService: nil).isEmpty)
        }
    }

    @Test func `saves nothing before the user chose it`() async throws {
        let scene = try Scene()
        await scene.vault.run {
            let store = ASCredentialIdentityStore.shared
            #expect(await !store.state().isEnabled)
            await #expect(throws: ASCredentialIdentityStoreError(.storeDisabled)) {
                try await store.saveCredentialIdentities([Self.ada])
            }
            var saved: Bool?
            store.saveCredentialIdentities([Self.ada]) { isSaved, _ in saved = isSaved }
            #expect(saved == false)
        }
        scene.phone.setCredentialProvider(scene.vault)
        scene.phone.uninstall(scene.vault)
        let again = scene.phone.install(.init(bundleIdentifier: "com.example.vault"))
        await again.run {
            #expect(await !ASCredentialIdentityStore.shared.state().isEnabled)
        }
    }
}
