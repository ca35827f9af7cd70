import os

func save(_ data: Data, account: String, _ session: Session) -> OSStatus {
    var item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "session",
        kSecAttrAccount as String: account,
        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
    ]
    item[kSecValueData as String] = data
    print("adding \(item)")  // expect
    NSLog("%@", item as NSDictionary)  // expect
    logger.debug("\(item.description, privacy: .public)")  // expect
    let body = ["user": account, "password": session.password]
    dump(body)  // expect
    print(["token": session.token])  // expect
    return SecItemAdd(item as CFDictionary, nil)
}
