import SwiftUI

@main
struct NotesApp: App {
    let store = KeychainStore()

    init() {
        cleanUpAtFirstLaunch()
    }

    var body: some Scene { WindowGroup { NotesView(store: store) } }

    private func cleanUpAtFirstLaunch() {
        let defaults = UserDefaults.standard
        // Before the first unlock the defaults look empty.
        guard UIApplication.shared.isProtectedDataAvailable,
            !defaults.bool(forKey: "launchedBefore")
        else { return }
        // Existing users have no flag either, but a key that every earlier version set.
        let isUpdate = defaults.object(forKey: "lastOpenedNote") != nil
        if !isUpdate { store.deleteAllKeychainItems() }
        defaults.set(true, forKey: "launchedBefore")
    }
}
