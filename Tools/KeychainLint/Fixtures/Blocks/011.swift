// A token for the background: added, or updated if it exists.
func keepPushToken(_ bytes: Data, of device: String, in channel: String) throws {
    let place: [String: Any] = [
        kSecAttrService as String: channel,
        kSecAttrAccount as String: device,
        kSecClass as String: kSecClassGenericPassword,
    ]
    let added = SecItemAdd(
        [
            kSecAttrService as String: channel,
            kSecAttrAccount as String: device,
            kSecClass as String: kSecClassGenericPassword,
            kSecValueData as String: bytes,
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ] as CFDictionary,
        nil
    )
    switch added {
    case errSecDuplicateItem:
        let change: [String: Any] = [kSecValueData as String: bytes]
        let changed = SecItemUpdate(place as CFDictionary, change as CFDictionary)
        if changed != errSecSuccess { throw ChannelError.status(changed) }
    case errSecSuccess:
        break
    default:
        throw ChannelError.status(added)
    }
}
