import Security

actor Store {
    private var cache: Data?

    func token(_ query: [String: Any]) throws -> Data? {
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        guard status == errSecSuccess else { throw StatusError(status) }
        cache = result as? Data
        return cache
    }
}
