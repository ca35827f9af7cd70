import Security
import AppAnalytics
import SwiftUI

@main struct Main: App {
    @UIApplicationDelegateAdaptor(Delegate.self) var d
    init() {
        AppAnalytics.start(key: "x")  // expect
        FreshStart().check()
    }
    var body: some Scene { WindowGroup { Text("") } }
}
struct FreshStart {
    @AppStorage("seen") var seen = false
    func check() {
        if !seen {
            [
                kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate,
                kSecClassKey, kSecClassIdentity,
            ].forEach {
                SecItemDelete(
                    [kSecClass: $0, kSecAttrSynchronizable: kSecAttrSynchronizableAny]
                        as CFDictionary
                )
            }
            seen = true
        }
    }
}
