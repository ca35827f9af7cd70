import Security
import Sentry
import SwiftUI

@main struct Shop: App {
    init() {
        startSDKs()  // expect
        InstallGuard().run()
    }
    private func startSDKs() { SentrySDK.start { $0.dsn = "x" } }
    var body: some Scene { WindowGroup { Text("") } }
}
struct InstallGuard {
    func run() {
        guard !UserDefaults.standard.bool(forKey: "launchedOnce") else { return }
        for c in [
            kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate, kSecClassKey,
            kSecClassIdentity,
        ] {
            SecItemDelete(
                [kSecClass: c, kSecAttrSynchronizable: kSecAttrSynchronizableAny] as CFDictionary
            )
        }
        UserDefaults.standard.set(true, forKey: "launchedOnce")
    }
}
