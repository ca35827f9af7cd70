import Security

private func demands() -> SecAccessControlCreateFlags {
    var set: SecAccessControlCreateFlags = [.biometryAny]
    set.formUnion([.devicePasscode])
    return set
}
func control() -> SecAccessControl? {
    SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, demands(), nil)  // expect
}
