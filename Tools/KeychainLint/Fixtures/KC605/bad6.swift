import UIKit
import Auth0
class AppDelegate: UIResponder, UIApplicationDelegate {
    let analytics = Analytics.start(key: "k")
    func application(_ application: UIApplication, willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?) -> Bool {
        OneSignal.initialize("id", withLaunchOptions: launchOptions)  // expect
        return true
    }
    func application(_ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?) -> Bool {
        let defaults = UserDefaults.standard
        if defaults.bool(forKey: "notFirstRun") == false {
            for c in [kSecClassGenericPassword, kSecClassInternetPassword, kSecClassKey, kSecClassCertificate, kSecClassIdentity] { SecItemDelete([kSecClass: c, kSecAttrSynchronizable: kSecAttrSynchronizableAny] as CFDictionary) }
            defaults.set(true, forKey: "notFirstRun")
        }
        return true
    }
}
