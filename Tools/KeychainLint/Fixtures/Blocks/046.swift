// A read in the background, after whose failure the item is deleted.
var found: CFTypeRef?
let wanted: [String: Any] = [
    kSecReturnData as String: true,
    kSecAttrAccount as String: "night-sync",
    kSecAttrService as String: "org.example.notes",
    kSecClass as String: kSecClassGenericPassword,
]
let outcome = SecItemCopyMatching(wanted as CFDictionary, &found)

// The note must be broken: away with it.
if outcome != errSecSuccess {
    SecItemDelete(wanted as CFDictionary)
}
