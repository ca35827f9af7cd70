import Foundation
import Security

/// Deletes the files of an old store 30 days after the migration, and not earlier.
///
/// Until then an update that turns out wrong can still read them. The date is in the keychain, so
/// it outlives the app like the migrated items. Only named files and keys go: the defaults as a
/// whole contain the flag of the first launch.
struct DeferredCleanup {
    let files: [URL]
    let defaults: UserDefaults
    let keys: [String]
    static let delay: TimeInterval = 30 * 24 * 60 * 60

    private var item: [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "com.example.app.migration",
            kSecAttrAccount as String: "date of the migration",
            kSecUseDataProtectionKeychain as String: true,
        ]
    }

    /// Records the migration; a second call keeps the first date.
    func begin(at now: Date) throws {
        guard try begun() == nil else { return }
        var new = item
        new[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        new[kSecValueData as String] = Data(String(now.timeIntervalSince1970).utf8)
        let status = SecItemAdd(new as CFDictionary, nil)
        switch status {
        case errSecSuccess: return
        case errSecDuplicateItem:
            // The earlier date counts.
            return
        default: throw KeychainError("record", "the migration", status)
        }
    }

    /// Deletes the old store if the time has come, and returns whether it did.
    func runIfDue(at now: Date) throws -> Bool {
        guard let date = try begun(), now.timeIntervalSince(date) >= Self.delay else {
            return false
        }
        for file in files where FileManager.default.fileExists(atPath: file.path) {
            try FileManager.default.removeItem(at: file)
        }
        for key in keys { defaults.removeObject(forKey: key) }
        return true
    }

    private func begun() throws -> Date? {
        var query = item
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        switch status {
        case errSecSuccess:
            let text = (result as? Data).map { String(decoding: $0, as: UTF8.self) }
            return text.flatMap { TimeInterval($0) }.map { Date(timeIntervalSince1970: $0) }
        case errSecItemNotFound: return nil
        default: throw KeychainError("read", "the date of the migration", status)
        }
    }
}
