import Security

func control() -> SecAccessControl? {
    let finger: SecAccessControlCreateFlags = .biometryAny
    let both = finger.union(.devicePasscode)
    return SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, both, nil)  // expect
}
