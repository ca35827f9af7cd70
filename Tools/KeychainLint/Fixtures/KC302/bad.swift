import Security

func control() -> SecAccessControl? {
    SecAccessControlCreateWithFlags(
        nil, kSecAttrAccessibleWhenUnlocked,
        [.biometryAny, .or, .biometryCurrentSet],  // expect
        nil
    )
}
