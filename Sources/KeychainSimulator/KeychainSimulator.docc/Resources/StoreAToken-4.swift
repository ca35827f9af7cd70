import Foundation
import KeychainSimulator
import Security
import Testing

/// The sign-in token of an app.
struct TokenStore {
    var accessibility = kSecAttrAccessibleWhenUnlocked

    private let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "api",
        kSecAttrAccount as String: "refresh-token",
    ]

    func save(_ token: String) -> OSStatus {
        var new = item
        new[kSecAttrAccessible as String] = accessibility
        new[kSecValueData as String] = Data(token.utf8)
        return SecItemAdd(new as CFDictionary, nil)
    }

    func read() -> (status: OSStatus, token: String?) {
        var query = item
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        return (status, (result as? Data).map { String(decoding: $0, as: UTF8.self) })
    }
}

@Suite struct `A stored token` {
    let phone: SimulatedDevice
    let app: SimulatedApp

    init() throws {
        phone = try SimulatedDevice(passcode: "0000")
        app = phone.install(.init(bundleIdentifier: "com.example.app"))
    }

    @Test func `comes back while the phone is unlocked`() {
        let store = TokenStore()
        #expect(app.run { store.save("t0ken") } == errSecSuccess)
        #expect(app.run { store.read() }.token == "t0ken")
    }
}
