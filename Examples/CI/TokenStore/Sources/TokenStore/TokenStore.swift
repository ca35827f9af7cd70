import Foundation
import Security

/// One token, as a generic password that work in the background can read.
public struct TokenStore: Sendable {
    /// The status of a call that failed.
    public struct Failure: Error, Equatable {
        /// Such as `errSecInteractionNotAllowed`.
        public let status: OSStatus

        /// A failure with a status.
        public init(status: OSStatus) { self.status = status }
    }

    private let service: String

    /// A store of its own for each service.
    public init(service: String) { self.service = service }

    /// Stores the token, in place of an earlier one.
    public func save(_ token: String) throws {
        let value: [String: Any] = [
            kSecValueData as String: Data(token.utf8),
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
        ]
        var status = SecItemUpdate(item as CFDictionary, value as CFDictionary)
        if status == errSecItemNotFound {
            status = SecItemAdd(item.merging(value) { $1 } as CFDictionary, nil)
        }
        guard status == errSecSuccess else { throw Failure(status: status) }
    }

    /// The token; nil if there is none.
    public func load() throws -> String? {
        var query = item
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        if status == errSecItemNotFound { return nil }
        guard status == errSecSuccess, let data = result as? Data else {
            throw Failure(status: status)
        }
        return String(decoding: data, as: UTF8.self)
    }

    private var item: [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: "token",
            kSecUseDataProtectionKeychain as String: true,
        ]
    }
}
