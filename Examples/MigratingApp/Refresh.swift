import Foundation
import os

/// Work in the background, possibly behind a locked screen.
actor Refresh {
    static let shared = Refresh()

    private let logger = Logger(subsystem: "com.example.mail", category: "refresh")
    private let store = TokenStore()

    /// The token is `AfterFirstUnlock`, so a locked device can read it; a device that nobody has
    /// unlocked since it started cannot.
    func run() {
        do {
            guard let token = try store.read(account: "accessToken") else { return }
            logger.debug("fetching with a token of \(token.count) bytes")
        } catch {
            logger.notice("no token now: \(error)")
        }
    }
}
