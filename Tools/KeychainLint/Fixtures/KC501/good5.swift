import Security

func load(_ query: CFDictionary) throws -> CFTypeRef? {
    var result: CFTypeRef?
    let status = unsafe SecItemCopyMatching(query, &result)
    guard status == errSecSuccess else { throw Failure(status) }
    return result
}
