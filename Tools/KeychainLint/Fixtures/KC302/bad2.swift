import Security

func control() -> SecAccessControl? {
    SecAccessControlCreateWithFlags(
        nil, kSecAttrAccessibleWhenUnlocked, [.userPresence, .or, .devicePasscode], nil)  // expect
}
