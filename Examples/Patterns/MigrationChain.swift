import Foundation
import Security

/// Migrations that run once each, in order, and the version that remembers them.
///
/// The version is an item, because items outlive the app like the data that it describes. It
/// advances after each step. An interrupted step runs again, so each step has to be repeatable.
struct MigrationChain {
    let steps: [() throws -> Void]

    enum Outcome: Equatable {
        case upToDate
        case migrated(from: Int, to: Int)
        /// Protected data is not available. Call again after the unlock.
        case tryLater
    }

    private var item: [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "com.example.app.migration",
            kSecAttrAccount as String: "schema version",
            kSecUseDataProtectionKeychain as String: true,
        ]
    }

    func migrate(isProtectedDataAvailable: Bool) throws -> Outcome {
        guard isProtectedDataAvailable else { return .tryLater }
        let start = try version()
        guard start < steps.count else { return .upToDate }
        for number in start..<steps.count {
            try steps[number]()
            try setVersion(number + 1)
        }
        return .migrated(from: start, to: steps.count)
    }

    private func version() throws -> Int {
        var query = item
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        switch status {
        case errSecSuccess:
            let text = (result as? Data).map { String(decoding: $0, as: UTF8.self) }
            return text.flatMap { Int($0) } ?? 0
        case errSecItemNotFound: return 0
        default: throw KeychainError("read", "the schema version", status)
        }
    }

    private func setVersion(_ version: Int) throws {
        let values: [String: Any] = [
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            kSecValueData as String: Data(String(version).utf8),
        ]
        var status = SecItemUpdate(item as CFDictionary, values as CFDictionary)
        if status == errSecItemNotFound {
            let new = item.merging(values) { $1 }
            status = SecItemAdd(new as CFDictionary, nil)
        }
        guard status == errSecSuccess else {
            throw KeychainError("write", "the schema version", status)
        }
    }
}
