import SwiftUI
import UIKit
import os

@main
struct MailApp: App {
    @UIApplicationDelegateAdaptor(LaunchDelegate.self) private var delegate

    var body: some Scene {
        WindowGroup { Inbox() }
            .backgroundTask(.appRefresh("com.example.mail.refresh")) {
                await Refresh.shared.run()
            }
    }
}

struct Inbox: View {
    @AppStorage("showsUnread") private var showsUnread = false

    var body: some View {
        VStack {
            Text("Inbox")
            if showsUnread { Text("Unread only") }
        }
    }
}

final class LaunchDelegate: NSObject, UIApplicationDelegate {
    private let logger = Logger(subsystem: "com.example.mail", category: "launch")

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        Task {
            await LaunchGate.shared.open()
            switch await MigrationJournal.shared.resume() {
            case .nothingToDo: break
            case .moved(let count): os_log(.info, "%d values moved", count)
            case .waiting: os_log(.info, "the device is locked; the move waits")
            case .failed(let error):
                logger.error("the move failed: \(error.localizedDescription, privacy: .public)")
            }
        }
        return true
    }
}
