import Security
import UIKit

final class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        guard application.isProtectedDataAvailable else { return true }
        takeOver()
        return true
    }

    private func takeOver() {
        guard let old = UserDefaults.standard.string(forKey: "authToken") else { return }
        guard (try? keychainSave(Data(old.utf8))) != nil, keychainLoad() == Data(old.utf8) else {
            return
        }
        UserDefaults.standard.removeObject(forKey: "authToken")
    }
}
