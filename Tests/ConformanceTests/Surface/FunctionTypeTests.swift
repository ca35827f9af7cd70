import KeychainSimulator
import Security
import TestSupport
import Testing

/// Apple's shapes of the four functions; that they can be assigned is what the compiler proves.
private struct FourFunctions {
    var add: (CFDictionary, UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus = SecItemAdd
    var copyMatching: (CFDictionary, UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus =
        SecItemCopyMatching
    var update: (CFDictionary, CFDictionary) -> OSStatus = SecItemUpdate
    var delete: (CFDictionary) -> OSStatus = SecItemDelete
}

@Suite struct `The types of the four functions` {
    @Test(.requirement("API-01"))
    func `are Apple's, also through variables`() throws {
        let app = try SimulatedDevice().install(.init(bundleIdentifier: "com.example.app"))
        let functions = FourFunctions()
        let item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: "alice",
        ]
        let label: [String: Any] = [kSecAttrLabel as String: "mail"]
        let returning = item.merging([kSecReturnAttributes as String: true]) { $1 }
        try app.run {
            #expect(functions.add(item as CFDictionary, nil) == errSecSuccess)
            #expect(functions.update(item as CFDictionary, label as CFDictionary) == errSecSuccess)
            var result: CFTypeRef?
            #expect(functions.copyMatching(returning as CFDictionary, &result) == errSecSuccess)
            let found = try #require(result as? [String: Any])
            #expect(found[kSecAttrLabel as String] as? String == "mail")
            #expect(functions.delete(item as CFDictionary) == errSecSuccess)
        }
    }
}
