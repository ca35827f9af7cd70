import Foundation

func forgetSettings() {
    guard let bundleID = Bundle.main.bundleIdentifier else { return }
    UserDefaults.standard.removePersistentDomain(forName: bundleID)  // expect
}
