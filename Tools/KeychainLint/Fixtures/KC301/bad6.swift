import Security

final class Maker {
    private var flags: SecAccessControlCreateFlags = []
    func make() -> SecAccessControl? {
        flags = []
        self.flags.insert(.biometryCurrentSet)
        self.flags.insert(.devicePasscode)
        return SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil)  // expect
    }
}
