import Security

func cleanupAfterReinstall() {
    let classes: [CFString] = [kSecClassGenericPassword, kSecClassKey]
    classes.forEach { itemClass in
        let query: [String: Any] = [
            kSecClass as String: itemClass,
            kSecAttrSynchronizable as String: kSecAttrSynchronizableAny,
        ]
        SecItemDelete(query as CFDictionary)  // expect
    }
}
