import Security
import UserNotifications

final class PushService: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler handler: @escaping (UNNotificationContent) -> Void
    ) {
        let (status, token) = refreshToken()
        handler(content(of: request, status: status, token: token))
    }

    private func refreshToken() -> (OSStatus, Data?) {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: Names.service,
            kSecAttrAccount as String: Names.account,
            kSecAttrAccessGroup as String: "A1B2C3D4E5.org.example.notes.shared",  // finds KC703
            kSecReturnData as String: true,
            kSecMatchLimit as String: kSecMatchLimitOne,
        ]
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)  // finds KC203
        return (status, result as? Data)
    }
}
