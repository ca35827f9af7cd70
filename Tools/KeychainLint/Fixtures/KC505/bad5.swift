import Security

func storedPin(account: String) throws -> Data {
    let query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "pin",
        kSecAttrAccount as String: account,
        kSecMatchLimit as String: kSecMatchLimitOne,
        kSecReturnData as String: true,
    ]
    var result: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &result)
    switch status {
    case errSecSuccess: break
    case errSecUserCanceled: throw PinError.cancelled
    default: throw PinError.notFound  // expect
    }
    guard let pin = result as? Data else { throw PinError.damaged }
    return pin
}
