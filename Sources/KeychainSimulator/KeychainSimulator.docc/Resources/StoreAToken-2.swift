import Foundation
import Security

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
}
