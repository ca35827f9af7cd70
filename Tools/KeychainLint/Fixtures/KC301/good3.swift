import Security

func control(allowsCode: Bool) -> SecAccessControl? {
    var flags: SecAccessControlCreateFlags = [.biometryAny]
    if allowsCode {
        flags.insert(.or)
        flags.insert(.devicePasscode)
    }
    return SecAccessControlCreateWithFlags(
        nil,
        kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
        flags,
        nil
    )
}

func signing() -> SecAccessControl? {
    let base: SecAccessControlCreateFlags = .privateKeyUsage
    return SecAccessControlCreateWithFlags(
        nil,
        kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
        base.union(.biometryCurrentSet),
        nil
    )
}

func one(_ isStrict: Bool) -> SecAccessControl? {
    var flags: SecAccessControlCreateFlags = [.biometryAny, .devicePasscode]
    flags.remove(isStrict ? .devicePasscode : .biometryAny)
    flags.subtract(.devicePasscode)
    return SecAccessControlCreateWithFlags(
        nil,
        kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
        flags,
        nil
    )
}
