import Foundation
import KeychainServices

/// A generic password with an account, and the four functions for it.
struct TortureItem {
    let account: String

    private var query: [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "torture",
            kSecAttrAccount as String: account,
        ]
    }

    func add(_ value: String) -> OSStatus {
        var attributes = query
        attributes[kSecAttrAccessible as String] = kSecAttrAccessibleWhenUnlocked
        attributes[kSecValueData as String] = Data(value.utf8)
        return SecItemAdd(attributes as CFDictionary, nil)
    }

    func update(_ value: String) -> OSStatus {
        SecItemUpdate(
            query as CFDictionary,
            [kSecValueData as String: Data(value.utf8)] as CFDictionary
        )
    }

    func delete() -> OSStatus { SecItemDelete(query as CFDictionary) }

    /// Returns the value, or nil with the status if there is none.
    func read() -> (status: OSStatus, value: String?) {
        var query = query
        query[kSecReturnData as String] = true
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        return (status, (result as? Data).map { String(decoding: $0, as: UTF8.self) })
    }

    /// Returns the number of items of the service, and the status of the search.
    static func count() -> (status: OSStatus, items: Int) {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "torture",
            kSecMatchLimit as String: kSecMatchLimitAll,
            kSecReturnAttributes as String: true,
        ]
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        return (status, (result as? [Any])?.count ?? 0)
    }
}
