import Security

func control() -> SecAccessControl? {
    let presence: SecAccessControlCreateFlags = .userPresence
    let flags: SecAccessControlCreateFlags = [presence, .devicePasscode]  // expect
    return SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil)
}
