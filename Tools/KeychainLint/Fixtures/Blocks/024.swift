// An update that gives an item another service, and whose status nobody reads.
let shelf: [String: Any] = [
    kSecAttrAccount as String: "reader",
    kSecAttrService as String: "Library",
    kSecClass as String: kSecClassGenericPassword,
]
let renamed: [String: Any] = [kSecAttrService as String: "org.example.library"]
SecItemUpdate(shelf as CFDictionary, renamed as CFDictionary)
