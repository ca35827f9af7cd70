import Security
extension OSStatus { var isExpected: Bool { self == errSecSuccess || self == errSecDuplicateItem } }
func save(_ data: Data) throws {
    var query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: "s", kSecAttrAccount: "a"]
    let found = query
    query[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlock
    query[kSecValueData] = data
    var status = SecItemAdd(query as CFDictionary, nil)
    guard status.isExpected else { throw Failure.status(status) }
    if status == errSecDuplicateItem {
        status = SecItemUpdate(found as CFDictionary, [kSecValueData: data] as CFDictionary)
    }
    guard status == errSecSuccess else { throw Failure.status(status) }
}
enum Failure: Error { case status(OSStatus) }
