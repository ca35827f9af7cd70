import Foundation

func forgetSettings() {
    for key in ["sort-order", "theme"] {
        UserDefaults.standard.removeObject(forKey: key)
    }
    UserDefaults.standard.removePersistentDomain(forName: "group.example.cache")
}
