import Security

enum Calls {
    static func add(_ item: [CFString: Any]) throws {
        let status = SecItemAdd(item as CFDictionary, nil)
        guard status == errSecSuccess else { throw Failure(status) }
    }
}

func file(_ note: Data) throws -> String {
    let name = UUID().uuidString
    let item = Attributes([kSecClass: kSecClassGenericPassword, kSecAttrAccount: name])
    let status = SecItemAdd(item, nil)
    guard status == errSecSuccess else { throw Failure(status) }
    return name
}
