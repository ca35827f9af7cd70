import Foundation

struct Preferences {
    private let store = UserDefaults(suiteName: "group.app")

    var clientName: String? { store?.string(forKey: "client_name") }
    var hasPassword: Bool { store?.bool(forKey: "hasPassword") ?? false }
    var tokenCount: Int { store?.integer(forKey: "tokenCount") ?? 0 }

    func moveOldSecret() {
        guard let old = store?.string(forKey: "client_secret") else { return }
        guard (try? KeychainBox.save(old)) != nil else { return }
        store?.removeObject(forKey: "client_secret")
    }
}
