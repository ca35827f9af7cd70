import Foundation
import Security

/// The sign-in token of an app.
struct TokenStore {
    private let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "api",
        kSecAttrAccount as String: "refresh-token",
    ]
}
