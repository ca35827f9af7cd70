import Security

func update(_ query: CFDictionary, _ values: CFDictionary) throws {
    let status = SecItemUpdate(query, values)
    guard status == errSecSuccess else { throw StatusError(status) }
}
