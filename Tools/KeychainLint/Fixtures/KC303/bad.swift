import Security

func control() -> SecAccessControl? {
    SecAccessControlCreateWithFlags(  // expect
        nil, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, .biometryCurrentSet, nil)
}
