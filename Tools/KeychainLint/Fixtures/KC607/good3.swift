import UIKit
class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        LegacyImporter().run()
        return true
    }
}
struct LegacyImporter {
    func run() {
        for key in ["a", "b"] {
            guard let old = OldKeychain.read(key) else { continue }
            if NewKeychain.save(old, key), NewKeychain.read(key) == old { OldKeychain.delete(key) }
        }
    }
}
