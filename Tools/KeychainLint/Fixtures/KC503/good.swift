import Security

func token(_ query: [String: Any]) throws -> Token? {
    var result: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &result)
    switch status {
    case errSecSuccess: break
    case errSecItemNotFound: return nil
    default: throw StatusError(status)
    }
    guard let data = result as? Data, let token = Token(data) else {
        // The data was read and does not decode: it is of no use to anybody.
        let deleted = SecItemDelete(query as CFDictionary)
        throw StatusError(deleted)
    }
    return token
}
