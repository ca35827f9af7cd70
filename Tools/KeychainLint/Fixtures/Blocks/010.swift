// An item behind biometry; if it exists, it is deleted and added again with the new access control.
func lockAway(_ recipe: Data, as name: String, of kitchen: String) throws {
    var cause: Unmanaged<CFError>?
    let made = SecAccessControlCreateWithFlags(
        kCFAllocatorDefault,
        kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
        [.devicePasscode, .or, .biometryAny],
        &cause
    )
    guard let lock = made else { throw KitchenError.noLock(cause?.takeRetainedValue()) }

    let place: [String: Any] = [
        kSecAttrService as String: kitchen,
        kSecAttrAccount as String: name,
        kSecClass as String: kSecClassGenericPassword,
    ]
    let entry: [String: Any] = [
        kSecAttrService as String: kitchen,
        kSecAttrAccount as String: name,
        kSecClass as String: kSecClassGenericPassword,
        kSecValueData as String: recipe,
        kSecAttrAccessControl as String: lock,
    ]

    let first = SecItemAdd(entry as CFDictionary, nil)
    if first == errSecDuplicateItem {
        // The lock of the existing entry is an old one.
        let removed = SecItemDelete(place as CFDictionary)
        guard removed == errSecSuccess else { throw KitchenError.status(removed) }
        let second = SecItemAdd(entry as CFDictionary, nil)
        guard second == errSecSuccess else { throw KitchenError.status(second) }
    } else if first != errSecSuccess {
        throw KitchenError.status(first)
    }
}
