import Foundation
import Security

struct Store {
    let decorations: Decorations

    func save(_ token: Data) -> OSStatus {
        let item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "com.example.notes",
            kSecAttrAccount as String: "token",
            kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlocked,
            kSecValueData as String: token,
        ]
        return SecItemAdd(item as CFDictionary, nil)
    }

    func seal(_ token: Data, for account: String) -> OSStatus {
        guard
            let control = SecAccessControlCreateWithFlags(
                nil,
                kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
                .biometryCurrentSet,
                nil
            )
        else { return errSecParam }
        let item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "com.example.vault",
            kSecAttrAccount as String: account,
            kSecAttrAccessControl as String: control,
            kSecValueData as String: token,
        ]
        return SecItemAdd(item as CFDictionary, kSecMissingArgument)
    }

    func add(_ attributes: [String: Any]) -> OSStatus {
        var item = attributes
        item[kSecClass as String] = kSecClassGenericPassword
        return SecItemAdd(item as CFDictionary, nil)
    }
}
