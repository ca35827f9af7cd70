import Foundation
import LocalAuthentication
import Security

/// What ``Accounts`` does, with the dictionaries of Keychain Services.
struct DictionaryAccounts: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let operation: String
        let service: String
        let status: OSStatus

        var isLocked: Bool { status == errSecInteractionNotAllowed }
        var description: String {
            let message = SecCopyErrorMessageString(status, nil) as String? ?? "unknown"
            return "cannot \(operation) \(service): \(message) (\(status))"
        }
    }

    func signIn(_ name: String, _ session: Session, recoveryKey key: String) throws {
        let bytes = try JSONEncoder().encode(session)
        let background = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        try save(bytes, "session", name, [kSecAttrAccessible as String: background])
        guard
            let control = SecAccessControlCreateWithFlags(
                nil,
                kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
                .userPresence,
                nil
            )
        else { throw Failure(operation: "protect", service: "recovery", status: errSecParam) }
        try save(Data(key.utf8), "recovery", name, [kSecAttrAccessControl as String: control])
    }

    /// Returns the session, or nil if the user is signed out; throws while it is out of reach.
    func session(of name: String) throws -> Session? {
        let context = LAContext()
        context.interactionNotAllowed = true
        guard let bytes = try read("session", name, context) else { return nil }
        return try JSONDecoder().decode(Session.self, from: bytes)
    }

    func recoveryKey(of name: String, because reason: String) async throws -> String? {
        let context = LAContext()
        context.localizedReason = reason
        let item = item("recovery", name)
        guard try exists(item) else { return nil }
        guard
            let control = SecAccessControlCreateWithFlags(
                nil,
                kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
                .userPresence,
                nil
            )
        else { throw Failure(operation: "read", service: "recovery", status: errSecParam) }
        // The search below would keep a thread of the program waiting for the user.
        try await context.evaluateAccessControl(
            control,
            operation: .useItem,
            localizedReason: reason
        )
        guard let bytes = try read("recovery", name, context) else { return nil }
        guard let key = String(data: bytes, encoding: .utf8) else {
            throw Failure(operation: "decode", service: "recovery", status: errSecDecode)
        }
        return key
    }

    func names() throws -> [String] {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "session",
            kSecAttrSynchronizable as String: kSecAttrSynchronizableAny,
            kSecMatchLimit as String: kSecMatchLimitAll,
            kSecReturnAttributes as String: true,
            kSecUseDataProtectionKeychain as String: true,
        ]
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        if status == errSecItemNotFound { return [] }
        guard status == errSecSuccess, let rows = result as? [[String: Any]] else {
            throw Failure(operation: "list", service: "session", status: status)
        }
        return rows.compactMap { $0[kSecAttrAccount as String] as? String }
    }

    func signOut(_ name: String) throws {
        for service in ["session", "recovery"] {
            let status = SecItemDelete(item(service, name) as CFDictionary)
            guard status == errSecSuccess || status == errSecItemNotFound else {
                throw Failure(operation: "delete", service: service, status: status)
            }
        }
    }

    private func item(_ service: String, _ name: String) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: name,
            kSecAttrSynchronizable as String: false,
            kSecUseDataProtectionKeychain as String: true,
        ]
    }

    private func save(
        _ bytes: Data,
        _ service: String,
        _ name: String,
        _ protection: [String: Any]
    ) throws {
        let item = item(service, name)
        // Apple's guides refuse an access control among the new values.
        var change = protection.filter { $0.key == kSecAttrAccessible as String }
        change[kSecValueData as String] = bytes
        var status = SecItemUpdate(item as CFDictionary, change as CFDictionary)
        if status == errSecItemNotFound {
            var new = item.merging(protection) { $1 }
            new[kSecValueData as String] = bytes
            status = SecItemAdd(new as CFDictionary, nil)
        }
        if status == errSecDuplicateItem {
            // Another process added the item between the two calls.
            status = SecItemUpdate(item as CFDictionary, change as CFDictionary)
        }
        guard status == errSecSuccess else {
            throw Failure(operation: "save", service: service, status: status)
        }
    }

    private func read(_ service: String, _ name: String, _ context: LAContext) throws -> Data? {
        var query = item(service, name)
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        query[kSecUseAuthenticationContext as String] = context
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        if status == errSecItemNotFound { return nil }
        guard status == errSecSuccess, let bytes = result as? Data else {
            throw Failure(operation: "read", service: service, status: status)
        }
        return bytes
    }

    /// Whether the item is there, without a prompt.
    private func exists(_ item: [String: Any]) throws -> Bool {
        let context = LAContext()
        context.interactionNotAllowed = true
        var query = item
        query[kSecUseAuthenticationContext as String] = context
        let status = SecItemCopyMatching(query as CFDictionary, nil)
        if status == errSecSuccess || status == errSecInteractionNotAllowed { return true }
        if status == errSecItemNotFound { return false }
        throw Failure(operation: "find", service: "recovery", status: status)
    }
}
