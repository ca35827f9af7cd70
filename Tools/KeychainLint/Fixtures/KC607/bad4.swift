import SwiftUI

@main struct Shop: App {
    init() { Task { await Upgrader().run() } }
    var body: some Scene { WindowGroup { Text("") } }
}
struct Upgrader {
    func run() async {  // expect
        guard await UIApplication.shared.isProtectedDataAvailable else { return }
        let legacy = UserDefaults(suiteName: "group.shop")
        for key in ["authToken", "refreshToken"] {
            guard let value = legacy?.string(forKey: key) else { continue }
            try? Keychain.save(Data(value.utf8), account: key)
        }
    }
}
