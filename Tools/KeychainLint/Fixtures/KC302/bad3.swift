import Security

struct Options { var who: SecAccessControlCreateFlags = .userPresence }
func control(with more: Bool) -> SecAccessControl? {
    var who: SecAccessControlCreateFlags = .userPresence
    who.insert(.devicePasscode)
    return SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, who, nil)  // expect
}
