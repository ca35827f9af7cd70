import Security
final class SecretScanner {
    static let shared = SecretScanner()
    private var known: [String: Data] = [:]
    private init() { loadEverything() }
    private func loadEverything() {
        for itemClass in [kSecClassGenericPassword, kSecClassInternetPassword] {
            var items: CFTypeRef?
            let status = SecItemCopyMatching([kSecClass: itemClass, kSecMatchLimit: kSecMatchLimitAll, kSecReturnData: true, kSecReturnAttributes: true] as CFDictionary, &items)  // expect
            guard status == errSecSuccess, let list = items as? [[CFString: Any]] else { continue }
            for item in list { known[item[kSecAttrAccount] as! String] = item[kSecValueData] as? Data }
        }
    }
}
