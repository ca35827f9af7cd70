import Foundation
import Security

/// A user's login for a web site, in the class that password AutoFill reads.
///
/// Seven attributes identify an internet password. All calls name the same ones, so that a login
/// for another path or realm stays another item.
struct WebCredential {
    let server: String
    var path = "/"
    let account: String

    private var item: [String: Any] {
        [
            kSecClass as String: kSecClassInternetPassword,
            kSecAttrServer as String: server,
            kSecAttrProtocol as String: kSecAttrProtocolHTTPS,
            kSecAttrPort as String: 443,
            kSecAttrPath as String: path,
            kSecAttrSecurityDomain as String: "",
            kSecAttrAuthenticationType as String: kSecAttrAuthenticationTypeHTMLForm,
            kSecAttrAccount as String: account,
            kSecUseDataProtectionKeychain as String: true,
        ]
    }

    func save(_ password: Data) throws {
        let values: [String: Any] = [
            kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlocked,
            kSecValueData as String: password,
        ]
        var status = SecItemUpdate(item as CFDictionary, values as CFDictionary)
        if status == errSecItemNotFound {
            let new = item.merging(values) { $1 }
            status = SecItemAdd(new as CFDictionary, nil)
        }
        guard status == errSecSuccess else {
            throw KeychainError("save", "\(account) at \(server)", status)
        }
    }

    func read() throws -> Data? {
        var query = item
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        switch status {
        case errSecSuccess: return result as? Data
        case errSecItemNotFound: return nil
        default: throw KeychainError("read", "\(account) at \(server)", status)
        }
    }
}
