import Security

func forgetShared(_ group: String) -> OSStatus {
    let shared: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword,
        kSecAttrAccessGroup: group,
    ]
    return SecItemDelete(shared as CFDictionary)  // expect
}
