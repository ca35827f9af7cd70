// A look at all that an item says about itself; every failure ends it without a word.
var found: AnyObject?
let wanted: [String: Any] = [
    kSecMatchLimit as String: kSecMatchLimitOne,
    kSecReturnData as String: true,
    kSecReturnAttributes as String: true,
    kSecAttrService as String: "org.example.tram",
    kSecClass as String: kSecClassGenericPassword,
]
let outcome = SecItemCopyMatching(wanted as CFDictionary, &found)
guard outcome == errSecSuccess, let facts = found as? [String: Any] else { return }

let changed = facts[kSecAttrModificationDate as String] as? Date
let made = facts[kSecAttrCreationDate as String] as? Date
let level = facts[kSecAttrAccessible as String] as? String
let travels = facts[kSecAttrSynchronizable as String] as? Bool
let line = facts[kSecAttrService as String] as? String
let holder = facts[kSecAttrAccount as String] as? String
let ticket = facts[kSecValueData as String] as? Data
