import Security
import UIKit

class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        migrateItems()
        return true
    }

    private func migrateItems() {  // expect
        guard keychainVersion() < 2 else { return }
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "session",
            kSecAttrAccount as String: "token",
        ]
        let values = [kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock]
        report(SecItemUpdate(query as CFDictionary, values as CFDictionary))
    }
}
