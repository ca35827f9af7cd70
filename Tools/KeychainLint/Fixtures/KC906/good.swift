import Security

actor SessionStore {
    func token(_ query: [String: Any]) throws -> Data? {
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        guard status == errSecSuccess else { throw StatusError(status) }
        return result as? Data
    }
}

@MainActor
final class SessionModel {
    nonisolated func forget(_ query: [String: Any]) -> OSStatus {
        SecItemDelete(query as CFDictionary)
    }
}
