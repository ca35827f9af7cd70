import Security
import UIKit

final class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions o: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        guard application.isProtectedDataAvailable else { return true }
        moveOldToken()
        return true
    }
    private func moveOldToken() {  // expect
        guard let old = UserDefaults.standard.string(forKey: "authToken") else { return }
        let status = SecItemAdd(
            [
                kSecClass: kSecClassGenericPassword, kSecAttrService: "api", kSecAttrAccount: "t",
                kSecValueData: Data(old.utf8),
                kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
            ] as CFDictionary,
            nil
        )
        guard status == errSecSuccess || status == errSecDuplicateItem else { return }
    }
}
