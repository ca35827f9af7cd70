import Security

func bankControl() -> SecAccessControl? {
    SecAccessControlCreateWithFlags(
        nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .biometryAny, nil)  // expect
}
