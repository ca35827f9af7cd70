import Security

func save(_ data: Data, _ item: [String: Any]) throws {
    let values = [kSecValueData as String: data] as CFDictionary
    SecItemDelete(item as CFDictionary)
    let new = item.merging([kSecValueData as String: data]) { $1 }
    var status = SecItemAdd(new as CFDictionary, nil)  // expect
    if status == errSecDuplicateItem {
        status = SecItemUpdate(item as CFDictionary, values)
    }
    guard status == errSecSuccess else { throw StatusError(status) }
}
