import Foundation
import Security

/// Removes what an earlier installation left in the keychain.
///
/// The system deletes the defaults of an app with the app, but not its items. If the defaults are
/// empty, the installation is new. Before the first unlock they look empty, too, so the cleanup waits
/// for protected data. It runs before any library that reads the keychain.
///
/// An update that brings this cleanup finds no flag either. Name a key that every earlier version
/// set in the defaults: otherwise the update signs all users out.
///
/// If the app synchronizes secrets, set `kSecAttrSynchronizable` to false in the query. A deletion
/// of synchronizable items deletes them on all devices of the user.
struct FirstLaunchCleanup {
    let defaults: UserDefaults
    /// Keys that earlier versions set at launch, before there was a flag.
    let earlierKeys: [String]
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
        let isUpdate = earlierKeys.contains { defaults.object(forKey: $0) != nil }
        if !isUpdate { try deleteAllItems() }
        // Only now: an interrupted cleanup runs again.
        defaults.set(true, forKey: Self.flag)
        return isUpdate ? .notFirstLaunch : .cleaned
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
