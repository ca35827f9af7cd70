import Security

func cleanupAfterReinstall() {
    for itemClass in [kSecClassGenericPassword, kSecClassInternetPassword] {
        SecItemDelete([kSecClass: itemClass] as CFDictionary)  // expect
    }
}
