import Security

func control() -> SecAccessControl? {
    var list: [SecAccessControlCreateFlags] = []
    list.append(.biometryAny)
    list.append(.devicePasscode)
    return SecAccessControlCreateWithFlags(
        nil,
        kSecAttrAccessibleWhenUnlocked,
        SecAccessControlCreateFlags(list),  // expect
        nil
    )
}
