import Security

func cleanupAfterReinstall() {
    let classes = [
        kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate,
        kSecClassKey,
        kSecClassIdentity,
    ]
    for itemClass in classes {
        let query = [
            kSecClass: itemClass, kSecAttrSynchronizable: kSecAttrSynchronizableAny,
        ]
        SecItemDelete(query as CFDictionary)
    }
}
