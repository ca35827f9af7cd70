import Security

@MainActor
final class SessionModel {
    func token(_ query: [String: Any]) throws -> Data? {
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)  // expect
        guard status == errSecSuccess else { throw StatusError(status) }
        return result as? Data
    }
}
