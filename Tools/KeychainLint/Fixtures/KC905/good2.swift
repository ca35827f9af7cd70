import os

func save(_ data: Data, account: String, _ session: Session) -> OSStatus {
    var item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "session",
        kSecAttrAccount as String: account,
        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
    ]
    print("adding \(item)")
    item[kSecValueData as String] = data
    logger.debug("\(item.description)")
    var shown = item
    shown[kSecValueData as String] = nil
    print("adding \(shown), \(item.count) entries, \(item.keys)")
    let body = ["user": account, "password": "***", "token": redacted(session.token)]
    dump(body)
    return SecItemAdd(item as CFDictionary, nil)
}
