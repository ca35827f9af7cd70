import Security

enum Policy { static let base: SecAccessControlCreateFlags = [.userPresence] }
func control() -> SecAccessControl? {
    var flags = Policy.base
    flags.formUnion(.devicePasscode)
    return SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil)  // expect
}
