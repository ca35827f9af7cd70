import Security
import UIKit

struct TokenStore {
    struct Refusal: Error {
        let status: OSStatus
        let service: String
    }

    func save(_ token: Data) throws {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: Names.service,
            kSecAttrAccount as String: Names.account,
            kSecAttrAccessGroup as String: Names.group,
        ]
        let changes: [String: Any] = [kSecValueData as String: token]
        var status = SecItemUpdate(query as CFDictionary, changes as CFDictionary)
        if status == errSecItemNotFound {
            var item = query
            item[kSecAttrAccessible as String] = kSecAttrAccessibleWhenUnlocked
            item.merge(changes) { $1 }
            status = SecItemAdd(item as CFDictionary, nil)
        }
        guard status == errSecSuccess else {
            throw Refusal(status: status, service: Names.service)
        }
    }
}
