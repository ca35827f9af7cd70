import Security

func forgetToken() -> OSStatus {
    SecItemDelete([kSecClass: kSecClassGenericPassword] as CFDictionary)  // expect
}
