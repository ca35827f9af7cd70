import Security
import FirebaseCore
import UIKit

@main final class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions o: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        FirebaseApp.configure()  // expect
        if !UserDefaults.standard.bool(forKey: "hasRunBefore") {
            for c in [
                kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate,
                kSecClassKey, kSecClassIdentity,
            ] {
                SecItemDelete(
                    [kSecClass: c, kSecAttrSynchronizable: kSecAttrSynchronizableAny]
                        as CFDictionary
                )
            }
            UserDefaults.standard.set(true, forKey: "hasRunBefore")
        }
        return true
    }
}
