import Security

func control(allowsCode: Bool) -> SecAccessControl? {
    var flags = SecAccessControlCreateFlags()
    flags.insert(.biometryAny)
    if allowsCode { flags.insert(.devicePasscode) }
    return SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil)  // expect
}
