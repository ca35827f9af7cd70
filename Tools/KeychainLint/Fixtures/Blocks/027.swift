// A search for an item that also names the item's protection level.
let ferryQuery: [String: Any] = [
    kSecReturnData as String: kCFBooleanTrue as Any,
    kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
    kSecAttrAccount as String: passenger,
    kSecAttrService as String: ferryLine,
    kSecClass as String: kSecClassGenericPassword,
]
