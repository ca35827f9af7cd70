// An app that wipes, migrates and clears up in this order before its other parts start.
@main
struct LedgerApp: App {
    @UIApplicationDelegateAdaptor(LedgerDelegate.self) var delegate

    var body: some Scene {
        WindowGroup { Pages() }
    }
}

final class LedgerDelegate: NSObject, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        Task { await prepare() }
        return true
    }

    private func prepare() async {
        await FirstLaunchGuard.shared.performCleanupIfNeeded()
        switch await Upgrades.shared.upgradeIfNeeded() {
        case .current:
            break
        case .upgraded(let version):
            Logger.start.info("Upgraded from \(version)")
        case .later:
            Logger.start.info("The device is locked")
        case .stopped(let error):
            Logger.start.error("Stopped: \(error.localizedDescription, privacy: .public)")
        }
        await Attic().clearWhenOld()
    }
}
