// Old files that go after four weeks, with all settings of the app and thus its first-launch mark.
actor Attic {
    private let service = "org.example.ledger"
    private let dateAccount = "moved-on"

    func clearWhenOld() async {
        guard
            let bytes = try? readKeychainItem(service: service, account: dateAccount),
            let moved = ISO8601DateFormatter().date(from: String(decoding: bytes, as: UTF8.self))
        else { return }
        if Date.now.timeIntervalSince(moved) < 28 * 86_400 { return }

        for name in ["ledger.keyed", "pins.plist"] {
            try? FileManager.default.removeItem(at: .documentsDirectory.appending(path: name))
        }
        if let app = Bundle.main.bundleIdentifier {
            UserDefaults.standard.removePersistentDomain(forName: app)
        }
    }
}
