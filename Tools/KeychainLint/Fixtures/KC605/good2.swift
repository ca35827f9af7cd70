import FirebaseCore
import Security
import UIKit

@main final class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        guardInstall()
        startKits()
        return true
    }

    private func startKits() { FirebaseApp.configure() }

    private func guardInstall() {
        guard !UserDefaults.standard.bool(forKey: "hasRunBefore") else { return }
        let classes = [
            kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate, kSecClassKey,
            kSecClassIdentity,
        ]
        for itemClass in classes {
            _ = SecItemDelete(
                [kSecClass: itemClass, kSecAttrSynchronizable: kSecAttrSynchronizableAny]
                    as CFDictionary
            )
        }
        UserDefaults.standard.set(true, forKey: "hasRunBefore")
    }
}
