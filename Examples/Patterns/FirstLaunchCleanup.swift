import Foundation
import Security

/// Removes what an earlier installation left in the keychain.
///
/// The system deletes the defaults of an app with the app, but not its items. A missing flag in the
/// defaults therefore means a new installation. Before the first unlock the flag looks missing, too,
/// so the cleanup waits for protected data. It runs before any library that reads the keychain.
struct FirstLaunchCleanup {
    let defaults: UserDefaults
    private static let flag = "com.example.app.hasLaunched"

    enum Outcome: Equatable {
        case cleaned
        case notFirstLaunch
        /// The device is locked. Call again when protected data is available.
        case tryLater
    }

    func run(isProtectedDataAvailable: Bool) throws -> Outcome {
        guard isProtectedDataAvailable else { return .tryLater }
        guard !defaults.bool(forKey: Self.flag) else { return .notFirstLaunch }
        try deleteAllItems()
        // Only now: an interrupted cleanup runs again.
        defaults.set(true, forKey: Self.flag)
        return .cleaned
    }

    private func deleteAllItems() throws {
        let classes = [
            kSecClassGenericPassword, kSecClassInternetPassword, kSecClassKey,
            kSecClassCertificate, kSecClassIdentity,
        ]
        for itemClass in classes {
            let query: [String: Any] = [
                kSecClass as String: itemClass,
                kSecAttrSynchronizable as String: kSecAttrSynchronizableAny,
                kSecUseDataProtectionKeychain as String: true,
            ]
            let status = SecItemDelete(query as CFDictionary)
            guard status == errSecSuccess || status == errSecItemNotFound else {
                throw KeychainError("clean up", itemClass as String, status)
            }
        }
    }
}
