import Security

func control() -> SecAccessControl {
    SecAccessControlCreateWithFlags(  // expect
        nil,
        kSecAttrAccessibleWhenUnlocked,
        .userPresence,
        nil
    )!
}
