import Security
extension SecAccessControlCreateFlags {
    static let ownerAndPasscode: SecAccessControlCreateFlags = [.userPresence, .devicePasscode]
}
func control() -> SecAccessControl? {
    SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .ownerAndPasscode, nil)  // expect
}
