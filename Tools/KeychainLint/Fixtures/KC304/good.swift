import LocalAuthentication
import Security

final class LockScreen {
    var notes: Data?

    func unlock() throws {
        let context = LAContext()
        context.localizedReason = "Open notes"
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "notes",
            kSecAttrAccount as String: "contents",
            kSecUseAuthenticationContext as String: context,
            kSecReturnData as String: true,
        ]
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        guard status == errSecSuccess else { throw StatusError(status) }
        notes = result as? Data
    }
}
