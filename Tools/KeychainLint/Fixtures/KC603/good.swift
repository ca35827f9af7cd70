import SwiftUI

@main
struct NotesApp: App {
    let store = KeychainStore()

    init() {
        cleanUpAtFirstLaunch()
    }

    var body: some Scene { WindowGroup { NotesView(store: store) } }

    private func cleanUpAtFirstLaunch() {
        guard !UserDefaults.standard.bool(forKey: "launchedBefore") else { return }
        store.deleteAllKeychainItems()
        UserDefaults.standard.set(true, forKey: "launchedBefore")
    }
}
