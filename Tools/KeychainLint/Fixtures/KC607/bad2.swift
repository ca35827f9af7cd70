import Security
import UIKit

final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func sceneDidBecomeActive(_ scene: UIScene) {
        guard UIApplication.shared.isProtectedDataAvailable else { return }
        TokenMover.go()
    }
}
enum TokenMover {
    static func go() {  // expect
        let d = UserDefaults.standard
        guard let t = d.data(forKey: "token") else { return }
        let s = SecItemAdd(
            [
                kSecClass: kSecClassGenericPassword, kSecAttrService: "s", kSecAttrAccount: "p",
                kSecValueData: t, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
            ] as CFDictionary,
            nil
        )
        if s != errSecSuccess && s != errSecDuplicateItem { report(s) }
    }
}
