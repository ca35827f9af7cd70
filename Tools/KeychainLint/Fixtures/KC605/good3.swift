import FirebaseCore
import UIKit
class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        if !UserDefaults.standard.bool(forKey: "installed") {
            KeychainStore.shared.wipe()
            UserDefaults.standard.set(true, forKey: "installed")
        }
        FirebaseApp.configure()
        return true
    }
    func signOut() { KeychainStore.shared.wipe() }
}
