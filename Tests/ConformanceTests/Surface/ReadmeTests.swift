import KeychainSimulator
import Security
import TestSupport
import Testing

// The example of README.md, as it stands there.
@Suite struct `The example of the read-me` {
    @Test
    func `finds the token that background work loses`() throws {
        let phone = try SimulatedDevice()
        let app = phone.install(.init(bundleIdentifier: "com.example.app"))
        let token: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "api", kSecAttrAccount as String: "refresh-token",
        ]
        let item = token.merging([kSecValueData as String: Data("t0ken".utf8)]) { $1 }
        #expect(app.run { SecItemAdd(item as CFDictionary, nil) } == errSecSuccess)

        phone.lock()
        let status = app.run(.background) { SecItemCopyMatching(token as CFDictionary, nil) }
        #expect(status == errSecInteractionNotAllowed)
        #expect(phone.findings.contains { $0.rule == "missing-accessible" })
    }
}
