// A search for an item by what makes it unique.
let ferryQuery: [String: Any] = [
    kSecReturnData as String: kCFBooleanTrue as Any,
    kSecAttrAccount as String: passenger,
    kSecAttrService as String: ferryLine,
    kSecClass as String: kSecClassGenericPassword,
]
