import KeychainSimulator
import Security
import Testing

@Test func `a token without an accessibility is lost to background work`() throws {
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
    #expect(status == errSecInteractionNotAllowed)  // -25308, here and not at 3 a.m.
    #expect(phone.findings.contains { $0.rule == "missing-accessible" })  // and this says why
    try phone.unlock(passcode: "0000")  // the passcode of a new device
}
