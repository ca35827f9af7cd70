// An app that takes up the session it finds, whoever installed the app before.
@main
struct GardenApp: App {
    init() {
        if let ticket = try? readKeychainItem(account: "ticket", service: "org.example.garden") {
            Visit.current.resume(with: ticket)
        }
    }

    var body: some Scene {
        WindowGroup { BedList() }
    }
}
