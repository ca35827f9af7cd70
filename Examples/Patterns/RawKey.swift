import Foundation
import Security

/// A symmetric key, or one of Curve25519: bytes without a `SecKey` form.
///
/// The keychain stores such a key as a generic password that stays on this device.
struct RawKey {
    let name: String

    private var item: [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "com.example.app.keys",
            kSecAttrAccount as String: name,
            kSecUseDataProtectionKeychain as String: true,
        ]
    }

    /// Returns the 32 bytes of the key, and makes them the first time.
    func bytes() throws -> Data {
        if let known = try read() { return known }
        var new = [UInt8](repeating: 0, count: 32)
        guard SecRandomCopyBytes(kSecRandomDefault, new.count, &new) == errSecSuccess else {
            throw KeychainError("make", name, errSecAllocate)
        }
        var add = item
        add[kSecAttrAccessible as String] = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
        add[kSecValueData as String] = Data(new)
        let status = SecItemAdd(add as CFDictionary, nil)
        switch status {
        case errSecSuccess: return Data(new)
        case errSecDuplicateItem:
            // Another process was first. Its key counts: something may be sealed under it.
            guard let theirs = try read() else { throw KeychainError("read", name, status) }
            return theirs
        default: throw KeychainError("add", name, status)
        }
    }

    private func read() throws -> Data? {
        var query = item
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        switch status {
        case errSecSuccess: return result as? Data
        case errSecItemNotFound: return nil
        default: throw KeychainError("read", name, status)
        }
    }
}
