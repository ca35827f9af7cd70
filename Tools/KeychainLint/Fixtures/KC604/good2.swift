import Security

/// The passwords that the user synchronizes stay on the other devices.
func cleanupAfterReinstall() {
    let classes = [
        kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate,
        kSecClassKey, kSecClassIdentity,
    ]
    for itemClass in classes {
        let query: [CFString: Any] = [kSecClass: itemClass, kSecAttrSynchronizable: false]
        SecItemDelete(query as CFDictionary)
    }
}
