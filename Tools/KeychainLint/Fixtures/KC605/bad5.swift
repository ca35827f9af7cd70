import UIKit
import FirebaseCore
@main class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(_ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?) -> Bool {
        FirebaseApp.configure()  // expect
        if !UserDefaults.standard.bool(forKey: "installed") {
            KeychainStore.shared.wipe()
            UserDefaults.standard.set(true, forKey: "installed")
        }
        return true
    }
}
