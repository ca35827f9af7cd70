import Security

func control() -> SecAccessControl {
    let control = SecAccessControlCreateWithFlags(
        nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil)
    return control!  // expect
}
