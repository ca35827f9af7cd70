import Security
func control() -> SecAccessControl? {
    var flags = SecAccessControlCreateFlags()
    for flag in [SecAccessControlCreateFlags.biometryAny, .devicePasscode] { flags.insert(flag) }
    return SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil)  // expect
}
