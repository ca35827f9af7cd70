import Security
struct Options {
    var wanted: SecAccessControlCreateFlags = [.userPresence, .devicePasscode]
}
func control(_ options: Options = Options()) -> SecAccessControl? {
    SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, options.wanted, nil)  // expect
}
func control(flags: SecAccessControlCreateFlags = [.userPresence, .devicePasscode]) -> SecAccessControl? {
    SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil)  // expect
}
struct Shared {
    static let standard = Shared()
    let gate: SecAccessControlCreateFlags = [.biometryAny, .userPresence]
}
func shared() -> SecAccessControl? {
    SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, Shared.standard.gate, nil)  // expect
}
