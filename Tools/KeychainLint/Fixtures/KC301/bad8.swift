import Security

func control(_ strict: Bool) -> SecAccessControl? {
    let flags: SecAccessControlCreateFlags =
        strict ? .biometryCurrentSet : [.biometryCurrentSet, .devicePasscode]  // expect
    return SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil)
}
